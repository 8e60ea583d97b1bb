// The language switch keeps the anchor: whoever reads a section goes on in the same section.
for (const link of document.querySelectorAll("[data-guide-language]"))
  link.addEventListener("click", () => { link.hash = location.hash })
