// The browser's part of `make serve`: load the page again once the site was built again, and show
// mistakes until they are mended. No built site holds this; the server adds it to what it serves.
(() => {
  const own = document.currentScript.dataset // which build this page is of, and which state it shows
  const kept = "guide-live-scroll"
  let source
  let panel

  const [path, left, top] = JSON.parse(sessionStorage.getItem(kept) || "[]")
  sessionStorage.removeItem(kept)
  if (path === location.pathname)
    addEventListener("load", () => scrollTo({ left, top, behavior: "instant" }))

  function loadAgain() {
    source.close()
    sessionStorage.setItem(kept, JSON.stringify([location.pathname, scrollX, scrollY]))
    location.reload()
  }

  function element(name, text, parent) {
    const made = document.createElement(name)
    made.textContent = text
    parent.append(made)
    return made
  }

  function show(faults) {
    panel?.remove()
    panel = undefined
    if (!faults.length) return
    panel = document.createElement("div")
    panel.lang = "en"
    const inside = panel.attachShadow({ mode: "open" })
    element("style", STYLE, inside)
    const section = element("section", "", inside)
    section.setAttribute("role", "alert") // it is read out as soon as it is there
    section.tabIndex = 0 // what is longer than the panel is scrolled by the keyboard, too
    const mistakes = faults.length === 1 ? "1 mistake" : `${faults.length} mistakes`
    element("h2", `Not built: ${mistakes}`, section)
    element("p", "The page stays as it was until what is wrong is mended.", section)
    const list = element("ol", "", section)
    for (const fault of faults) {
      const item = element("li", "", list)
      element("code", fault.place, item)
      element("p", fault.problem, item)
      if (fault.remedy) element("p", fault.remedy, item)
    }
    element("button", "Hide", section).addEventListener("click", () => show([]))
    document.body.append(panel)
  }

  function listen() {
    if (source && source.readyState !== EventSource.CLOSED) return
    source = new EventSource("/_live/events")
    source.addEventListener("message", ({ data }) => {
      const state = JSON.parse(data)
      const outdated = own.build ? state.build !== own.build : state.number !== own.number
      if (outdated) loadAgain()
      else if (own.build) show(state.faults)
    })
  }

  const STYLE = `
    :host { all: initial }
    section {
      position: fixed; inset: auto 0 0 0; z-index: 2147483647; max-height: 60vh; overflow: auto;
      box-sizing: border-box; padding: 1rem 1.5rem; border-top: .25rem solid #b00020;
      background: #fff; color: #1a1a1a; font: 1rem/1.5 system-ui, sans-serif;
    }
    h2 { margin: 0; font-size: 1.125rem }
    p { margin: .25rem 0 }
    ol { margin: .75rem 0; padding-left: 1.5rem }
    li { margin: .5rem 0; overflow-wrap: anywhere }
    code { font: .9375rem ui-monospace, monospace; font-weight: 600; color: #b00020 }
    button { font: inherit; padding: .25rem .75rem }
    @media print { section { display: none } }
  `

  // A browser keeps only a few connections to one host, so a page that is not seen gives its up.
  document.addEventListener("visibilitychange", () => document.hidden ? source?.close() : listen())
  addEventListener("pagehide", () => source?.close())
  addEventListener("pageshow", () => document.hidden || listen())
})()
