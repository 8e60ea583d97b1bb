// The search dialog: opens with its button or with / (and s and f, as Material's does), and is worked
// by keyboard alone. The index and what finds in it are loaded when it is first opened.
(() => {
  const dialog = document.querySelector("[data-guide-search]")
  const opener = document.querySelector("[data-guide-search-open]")
  const input = dialog.querySelector("input")
  const status = dialog.querySelector("[role=status]")
  const list = dialog.querySelector("[role=listbox]")
  const say = dialog.dataset
  const PAUSE = 120 // milliseconds after a letter, before there is a search
  let finder // a promise of the function that finds
  let timer
  let latest = 0 // the number of the last search, so that no earlier one answers after it
  let shown = "" // the query that the list answers
  let active = -1

  const options = () => [...list.querySelectorAll("[role=option]")]

  function element(name, className, ...children) {
    const made = document.createElement(name)
    if (className) made.className = className
    made.append(...children)
    return made
  }

  async function load() {
    const { finderOf } = await import(new URL(say.results, document.baseURI))
    const address = new URL(say.search, document.baseURI)
    return finderOf(await import(address), new URL("..", address), document.documentElement.lang)
  }

  function open() {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    finder ??= load()
    finder.catch(fail)
    if (input.value !== shown) search()
  }

  function fail() {
    finder = undefined // the next time it is tried again
    show([])
    status.textContent = say.failed
  }

  function activate(index) {
    const all = options()
    all[active]?.removeAttribute("aria-selected")
    active = all.length ? (index + all.length) % all.length : -1
    const option = all[active]
    option?.setAttribute("aria-selected", "true")
    option?.scrollIntoView({ block: "nearest" })
    if (option) input.setAttribute("aria-activedescendant", option.id)
    else input.removeAttribute("aria-activedescendant")
  }

  function excerpt(parts) {
    return parts.map(({ text, hit }) => (hit ? element("mark", "", text) : text))
  }

  function show(pages) {
    active = -1
    input.removeAttribute("aria-activedescendant")
    let number = 0
    list.replaceChildren(
      ...pages.map((page, index) => {
        const title = element("div", "guide-search__page", page.title)
        title.id = `__guide_search_page_${index}`
        const group = element("div", "guide-search__group", title)
        group.setAttribute("role", "group")
        group.setAttribute("aria-labelledby", title.id)
        for (const section of page.sections) {
          const option = element(
            "a",
            "guide-search__result",
            element("span", "guide-search__section", ...excerpt(section.title)),
            " ",
            element("span", "guide-search__excerpt", ...excerpt(section.excerpt)),
          )
          option.id = `__guide_search_result_${number++}`
          option.href = section.url
          option.tabIndex = -1
          option.setAttribute("role", "option")
          group.append(option)
        }
        return group
      }),
    )
    list.scrollTop = 0
    list.setAttribute("aria-busy", "false")
    input.setAttribute("aria-expanded", String(number > 0))
    return number
  }

  async function search() {
    clearTimeout(timer)
    const mine = ++latest
    const query = input.value
    if (!query.trim()) {
      shown = query
      show([])
      status.textContent = say.hint
      return
    }
    try {
      const find = await (finder ??= load())
      const pages = await find(query)
      if (mine !== latest) return
      shown = query
      const number = show(pages)
      status.textContent = number ? say.found.replace("{n}", number) : say.none
    } catch (error) {
      if (mine === latest) fail()
      console.error(error)
    }
  }

  async function follow() {
    if (input.value !== shown) await search() // Enter came before the pause was over
    options()[Math.max(active, 0)]?.click()
  }

  opener.addEventListener("click", open)
  dialog.querySelector("button").addEventListener("click", () => dialog.close())
  // What is outside the dialog counts as the dialog itself: its backdrop.
  dialog.addEventListener("click", (event) => {
    if (event.target !== dialog) return
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    const { clientX: x, clientY: y } = event
    if (x < left || x > right || y < top || y > bottom) dialog.close()
  })
  list.addEventListener("click", (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    if (plain && event.target.closest("a")) dialog.close() // the section may be on this page
  })
  input.addEventListener("input", (event) => {
    if (event.isComposing) return // letters on their way to a Chinese word
    clearTimeout(timer)
    list.setAttribute("aria-busy", "true")
    timer = setTimeout(search, PAUSE)
  })
  input.addEventListener("compositionend", () => {
    list.setAttribute("aria-busy", "true")
    search()
  })
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return // 229: how Safari tells it
    const act = {
      ArrowDown: () => activate(active + 1),
      ArrowUp: () => activate(active < 0 ? -1 : active - 1),
      Enter: follow,
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.open) return
    const typing = "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]"
    // The field of the closed search may still have the focus: nobody types there.
    const elsewhere = event.target.closest?.(typing) && !dialog.contains(event.target)
    if (!["/", "f", "s"].includes(event.key) || elsewhere) return
    event.preventDefault() // or the letter goes into the field
    open()
  })
})()
