// What a query finds: Pagefind names the pages, and here their sections are found and ranked. Pagefind
// is lenient (for a word that it does not have it takes one that begins alike, or leaves it out), so
// a page counts only where each word of the query is really found: in another form, or as its beginning.

const PAGES = 6
const SECTIONS = 3 // of one page
const CANDIDATES = 12 // pages that are looked into
const BEFORE = 8 // words of an excerpt before what was found
const LENGTH = 100 // words of an ordinary section
const UNSURE = 0.3 // a likeness that may be an accident
const SAME_STEM = 0.8 // Pagefind's measure for a word whose stem is that of the query's word; else lower
const LISTED = 0.65 // the worth of a section of the reference
const LISTED_OFTEN = 0.5 // and of one among many that are worded alike
const HAN = /[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u
const OTHER_FORMS = /~([а-яё]+)(?:~[а-яё]+)+~~/giu // docs_build/search.py puts them into its copy

/** The function that finds, for Pagefind's module, the address of a language's pages, and that language. */
export async function finderOf(module, root, language) {
  // In a worker Pagefind would be outside the policy of the page; an index this small needs none.
  const pagefind = module.createInstance({ noWorker: true, ranking: { pageLength: 0.2 } })
  await pagefind.init()
  const find = language.startsWith("zh") ? findChinese : findWords
  return (query) => find(pagefind, query, root, language)
}

async function findWords(pagefind, query, root) {
  const bare = query.replace(/["“”„«»]/g, " ") // a name in quotes is copied from the code
  const terms = unique(plain(bare).split(/\s+/).map(lettersOf)).filter(Boolean)
  if (!terms.length) return []
  const { results } = await pagefind.search(bare)
  return ranked(results, terms, root, (page) => {
    const hits = []
    for (const { location: place, weight, balanced_score } of page.found) {
      const sameStem = balanced_score / (24 * weight) ** 2 > SAME_STEM
      terms.forEach((term, index) => {
        const likeness = likest(term, page.words[place] ?? "", sameStem)
        if (likeness) hits.push({ place, term: index, likeness })
      })
    }
    return hits
  })
}

// Every Chinese character is a word of its own in the index. First the query's words as they stand,
// one run of characters each; where no page has these, the words that the browser cuts them into.
async function findChinese(pagefind, query, root, language) {
  const runs = runsOf(query)
  const found = await findRuns(pagefind, runs, root)
  if (found.length) return found
  const segmenter = new Intl.Segmenter(language, { granularity: "word" })
  const words = runs.flatMap((run) =>
    HAN.test(run) ? [...segmenter.segment(run)].map(({ segment }) => segment) : [run],
  )
  return words.length > runs.length ? findRuns(pagefind, unique(words), root) : []
}

async function findRuns(pagefind, runs, root) {
  if (!runs.length) return []
  const apart = (run) => (HAN.test(run) ? [...run] : run.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")
  let { results } = await pagefind.search(runs.map(apart).join(" "))
  for (const run of runs.filter((run) => HAN.test(run) && [...run].length > 1)) {
    const together = await pagefind.search(`"${apart(run)}"`)
    const ids = new Set(together.results.map(({ id }) => id))
    results = results.filter(({ id }) => ids.has(id))
  }
  return ranked(results, runs, root, (page) => {
    const hits = []
    runs.forEach((run, term) => {
      for (let at = page.lower.indexOf(run); at >= 0; at = page.lower.indexOf(run, at + 1)) {
        const inside = !HAN.test(run) && /[\p{L}\p{N}]/u.test(page.lower[at - 1] ?? "")
        if (inside && !HAN.test(page.lower[at - 1])) continue // in the middle of a name
        for (let place = page.wordAt(at); page.starts[place] < at + run.length; place++)
          if (page.words[place].trim()) hits.push({ place, term, likeness: 1 })
      }
    })
    return hits
  })
}

function runsOf(query) {
  const found = plain(query).match(new RegExp(`${HAN.source}+|(?:(?!${HAN.source})\\S)+`, "gu")) ?? []
  const edges = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu
  return unique(found.map((run) => run.replace(edges, ""))).filter(Boolean)
}

/** The best sections of the pages that Pagefind found, grouped by page, the best page first. */
async function ranked(results, terms, root, hitsOf) {
  const best = results[0]?.score || 1
  const candidates = await Promise.all(
    results.slice(0, CANDIDATES).map(async (result) => {
      const page = pageOf(await result.data())
      return { page, hits: hitsOf(page), score: result.score / best }
    }),
  )
  const sure = new Set(
    candidates.flatMap(({ hits }) => hits.filter(({ likeness }) => likeness > UNSURE).map(({ term }) => term)),
  )
  if (sure.size < terms.length) return []
  return candidates
    .filter(({ hits }) => new Set(hits.map(({ term }) => term)).size === terms.length)
    .map(({ page, hits, score }) => ({
      title: page.title,
      sections: sectionsOf(page, hits, terms)
        .map((section) => ({ ...section, score: (section.score + score) * worthOf(page) }))
        .sort((one, other) => other.score - one.score)
        .slice(0, SECTIONS)
        .map((section) => ({ ...section, url: `${new URL(`.${page.url}`, root)}${section.hash}` })),
    }))
    .sort((one, other) => other.sections[0].score - one.sections[0].score)
    .slice(0, PAGES)
}

/** The reference repeats the words of the guide in many short sections, and would stand before it. */
function worthOf(page) {
  if (page.url.startsWith("/reference/reasons/")) return LISTED_OFTEN
  return page.url.startsWith("/reference/") ? LISTED : 1
}

/** A page of the index as it was before the index: its words, without the forms put into them. */
function pageOf(fragment) {
  const raw = fragment.raw_content.replace(/&lt;/g, "<").replace(/&gt;/g, ">")
  const chinese = raw.includes("\u200b")
  const words = chinese ? raw.split("\u200b").map(chineseStop) : raw.split(/\s+/)
  const glue = chinese ? "" : " "
  const starts = [0]
  for (const word of words) starts.push(starts.at(-1) + word.length + glue.length)
  const anchors = fragment.anchors
    .filter(({ element, text }) => /^h\d$/i.test(element) && text?.trim())
    .sort((one, other) => one.location - other.location)
  return {
    url: fragment.raw_url,
    title: shown(fragment.meta.title ?? anchors[0]?.text ?? ""),
    words,
    found: fragment.weighted_locations,
    glue,
    starts,
    lower: words.join(glue).toLowerCase(),
    wordAt: (at) => starts.findLastIndex((start) => start <= at),
    sections: anchors.map(({ id, text, location }, index) => ({
      id,
      title: shown(text),
      start: location,
      body: location + headingLength(words, location, glue, text),
      end: anchors[index + 1]?.location ?? words.length,
    })),
  }
}

/** Pagefind ends a heading, and a cell of a table, with a full stop: here a Chinese one. */
function chineseStop(word, place, words) {
  return word.trim() === "." && HAN.test(words[place - 1] ?? "") ? "。" : word
}

function headingLength(words, location, glue, text) {
  const heading = text.replaceAll("\u200b", "").trim()
  let length = 0
  for (let number = 1; location + number <= words.length; number++) {
    length += words[location + number - 1].length
    if (length >= heading.length) return words[location + number] === "。" ? number + 1 : number
    length += glue.length
  }
  return 0
}

/** The sections of a page with the most of the query's words, each with its score. */
function sectionsOf(page, hits, terms) {
  const end = page.sections[0]?.start ?? page.words.length
  const before = { id: "", title: page.title, start: 0, body: 0, end }
  const found = [before, ...page.sections]
    .map((section) => ({
      ...section,
      hits: hits.filter(({ place }) => place >= section.start && place < section.end),
    }))
    .filter((section) => section.hits.length)
    .map((section) => ({ ...section, count: new Set(section.hits.map(({ term }) => term)).size }))
  const most = Math.max(...found.map(({ count }) => count))
  return found
    .filter(({ count }) => count === most)
    .map((section) => ({
      hash: section.id && `#${encodeURIComponent(section.id)}`,
      score: scoreOf(section, page, terms, most),
      title: withoutStop(parts(page, section.start, section.body, section.hits, terms), section.title),
      excerpt: excerptOf(page, section, terms),
    }))
}

// A word in the heading says the most, then words side by side, then how often and how exactly they
// stand there. Repetition soon says nothing more.
function scoreOf(section, page, terms, most) {
  const titled = section.hits.filter(({ place }) => place < section.body)
  const length = section.end - section.start
  let score = most === terms.length ? 3 : 0
  terms.forEach((_, index) => {
    const of = section.hits.filter(({ term }) => term === index)
    if (!of.length) return
    const often = of.reduce((sum, { likeness }) => sum + likeness, 0)
    score += 2 * Math.max(...of.map(({ likeness }) => likeness)) + (2 * often) / (often + 0.5 + length / LENGTH)
    const heading = Math.max(0, ...titled.filter(({ term }) => term === index).map(({ likeness }) => likeness))
    score += 4 * heading ** 2
  })
  const headed = new Map(titled.map(({ place, likeness }) => [place, likeness]))
  for (const likeness of headed.values()) score += (4 * likeness ** 2) / (section.body - section.start)
  const placesOf = (index) => section.hits.filter(({ term }) => term === index).map(({ place }) => place)
  const places = terms.map((_, index) => new Set(placesOf(index)))
  const inOrder = (place) => places.every((set, index) => set.has(place + index))
  if (terms.length > 1 && [...places[0]].some(inOrder)) score += 3
  return score
}

function excerptOf(page, section, terms) {
  const length = page.glue ? 28 : 64
  const inBody = section.hits.filter(({ place }) => place >= section.body)
  const first = densest(inBody, length)
  let start = Math.max(section.body, first - (page.glue ? BEFORE : 2 * BEFORE))
  start = Math.max(section.body, Math.min(start, section.end - length))
  const end = Math.min(section.end, start + length)
  if (start >= end) return []
  return [
    ...(start > section.body ? [{ text: "… " }] : []),
    ...parts(page, start, end, section.hits, terms),
    ...(end < section.end ? [{ text: " …" }] : []),
  ]
}

/** The first place of the stretch with the most words of the query, found best. */
function densest(hits, length) {
  let best = { place: 0, worth: 0 }
  for (const { place } of hits) {
    const near = new Map()
    for (const hit of hits)
      if (hit.place >= place && hit.place < place + length - BEFORE)
        near.set(hit.term, Math.max(near.get(hit.term) ?? 0, hit.likeness))
    const worth = [...near.values()].reduce((sum, likeness) => sum + likeness, 0)
    if (worth > best.worth) best = { place, worth }
  }
  return best.place
}

/** Words as text, in pieces that were found and others. */
function parts(page, start, end, hits, terms) {
  const found = new Set(hits.map(({ place }) => place))
  const pieces = []
  for (let place = start; place < end; place++) {
    const word = shown(page.words[place])
    if (!found.has(place)) pieces.push({ text: word })
    else if (page.glue) pieces.push(...marked(word, terms))
    else pieces.push({ text: word.trimEnd(), hit: true }, { text: word.slice(word.trimEnd().length) })
    if (place + 1 < end) pieces.push({ text: page.glue })
  }
  return joined(pieces)
}

/** What is between blanks, in pieces: a name or a word in it that was found, else all but its edges. */
function marked(text, terms) {
  const pieces = text.split(/([\p{L}\p{N}_]+)/u).map((piece) => ({
    text: piece,
    hit: terms.some((term) => likest(term, piece, false)),
  }))
  if (pieces.some(({ hit }) => hit)) return pieces
  const [, before, inner, after] = /^([^\p{L}\p{N}_]*)(.*?)([^\p{L}\p{N}_]*)$/su.exec(text)
  return [{ text: before }, { text: inner, hit: true }, { text: after }]
}

function joined(pieces) {
  const all = []
  for (const { text, hit = false } of pieces) {
    if (!text) continue
    if (all.at(-1)?.hit === hit) all.at(-1).text += text
    else all.push({ text, hit })
  }
  return all
}

/** A heading in pieces, without the full stop that Pagefind ends it with. */
function withoutStop(pieces, heading) {
  let left = heading.length
  const kept = []
  for (const { text, hit } of pieces) {
    if (left > 0) kept.push({ text: text.slice(0, left), hit })
    left -= text.length
  }
  return kept.map(({ text }) => text).join("") === heading ? kept : [{ text: heading }]
}

/** How much a word of the index is like a word of the query: 1 the same, 0 another word. */
function likest(term, word, sameStem) {
  const needed = term.length <= 3 ? term.length : Math.max(3, Math.floor(term.length / 2))
  const forms = formsOf(word)
  let best = 0
  for (const form of forms) {
    let same = 0
    while (same < term.length && term[same] === form[same]) same++
    const rest = Math.max(term.length, form.length) - same
    if (form === term) best = 1
    else if (same === term.length) best = Math.max(best, sameStem ? 0.9 : 0.4 + 0.2 / rest)
    else if (same < needed) continue
    // Where a word has several forms, Pagefind may have measured another one of them.
    else if (sameStem || (forms.length > 1 && rest <= 3)) best = Math.max(best, sameStem ? 0.9 : UNSURE)
  }
  return best
}

/** All that a word of the index can be found by: itself, its parts, and a Russian word's other forms. */
function formsOf(word) {
  const camel = word.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
  const each = plain(camel).split(/[^\p{L}\p{N}_]+/u)
  return unique([lettersOf(plain(word)), ...each, ...each.flatMap((part) => part.split("_"))]).filter(Boolean)
}

const shown = (text) => text.replaceAll("\u200b", "").replace(OTHER_FORMS, "$1")
const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
const lettersOf = (text) => text.replace(/[^\p{L}\p{N}_]/gu, "")
const unique = (all) => [...new Set(all)]
