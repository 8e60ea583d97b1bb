// What the guide adds to Material: the language switch keeps the anchor, and code and pages are
// copied to the byte. (Material's own button takes what is shown, and drops the last line's end.)

// Whoever reads a section goes on in the same section.
for (const link of document.querySelectorAll("[data-guide-language]"))
  link.addEventListener("click", () => { link.hash = location.hash })

const announcer = document.querySelector("[data-guide-status]")
let announced

function announce(message) {
  clearTimeout(announced)
  announcer.textContent = message
  announcer.classList.add("md-dialog--active")
  announced = setTimeout(() => {
    announcer.classList.remove("md-dialog--active")
    announced = setTimeout(() => { announcer.textContent = "" }, 500) // it fades out first
  }, 3000)
}

// Put a text, or the promise of one, into the clipboard. A browser that does not let a page do so
// (at an address without https, say) still has the older way: an answer to its own event "copy".
async function putIntoClipboard(text) {
  if (navigator.clipboard && window.ClipboardItem) {
    const blob = Promise.resolve(text).then(plain => new Blob([plain], { type: "text/plain" }))
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })])
    return
  }
  const plain = await text
  const answer = event => {
    event.clipboardData.setData("text/plain", plain)
    event.preventDefault()
  }
  document.addEventListener("copy", answer)
  const done = document.execCommand("copy")
  document.removeEventListener("copy", answer)
  if (!done) throw new Error("the browser does not copy")
}

function copyOnClick(button, textOf, message) {
  button.addEventListener("click", async () => {
    try {
      await putIntoClipboard(textOf())
      announce(message)
    } catch {
      announce(announcer.dataset.copyFailed)
    }
  })
}

// Of a terminal one copies what one types, not what it answers.
function typed(terminal) {
  return terminal.split("\n").filter(line => line.startsWith("$ ")).map(line => `${line.slice(2)}\n`).join("")
}

for (const block of document.querySelectorAll("[data-snippet]")) {
  const title = block.querySelector(".filename")
  const code = block.querySelector("pre > code")
  const name = title.textContent
  const button = document.createElement("button")
  button.type = "button"
  button.className = "guide-copy"
  button.title = announcer.dataset.copyCode.replace("{name}", name)
  button.ariaLabel = button.title
  const copied = block.matches(".language-console") ? typed : text => text
  copyOnClick(button, () => copied(code.textContent), announcer.dataset.codeCopied.replace("{name}", name))
  title.append(button)
}

async function markdownOfPage() {
  const answer = await fetch(document.querySelector("link[type='text/markdown']").href)
  if (!answer.ok) throw new Error(`the Markdown of the page is missing: ${answer.status}`)
  return answer.text()
}

for (const button of document.querySelectorAll("[data-guide-copy-page]"))
  copyOnClick(button, markdownOfPage, announcer.dataset.pageCopied)

// A table or a line of code that is wider than its frame scrolls in it; so the frame can have the
// focus, and then be scrolled by keyboard.
const frames = new ResizeObserver(entries => {
  for (const { target } of entries)
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0
    else target.removeAttribute("tabindex")
})
for (const frame of document.querySelectorAll(".md-typeset__scrollwrap, pre > code"))
  frames.observe(frame)
