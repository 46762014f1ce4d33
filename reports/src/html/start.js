// Puts everything in its place, and follows links: each section is a tab, and a link to one mutant or test opens it in its tab.

const sections = [...document.querySelectorAll("main > section")];

// Shows a section and nothing else. False if it was shown already.
function openTab(id) {
  const isNew = $(id).hidden || sections.some((it) => !it.hidden && it.id !== id);
  for (const section of sections) section.hidden = section.id !== id;
  for (const link of $("tabs").querySelectorAll("a")) {
    if (link.hash === `#${id}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (id === "tree") tree.fill();
  if (id === "matrix") matrix.draw();
  return isNew;
}

function follow() {
  let id = "";
  try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
  if (id.startsWith("mutant-")) {
    openTab("mutants");
    if (!mutantList.open(id)) showMutant(id);
  } else if (id.startsWith("test-")) {
    openTab("tests");
    if (testList.open(id)) return;
    resetFilters("test-filters");
    filterTests();
    testList.open(id);
  } else {
    const section = sections.find((it) => it.id === id) ?? (id === "" && sections.every((it) => !it.hidden) ? sections[0] : null);
    if (!section) return;
    openTab(section.id);
    scrollTo({ top: 0, behavior: "instant" });
  }
}

matrix.start();
startMutants();
startTests();
addEventListener("hashchange", follow);
// A link to what is open already changes nothing in the address, but the reader wants to go there.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (link && link.hash === location.hash) follow();
});
// A printed page has no tabs and cannot grow, so all of them are shown, and more of each.
let open = null;
addEventListener("beforeprint", () => {
  open = sections.find((it) => !it.hidden)?.id;
  for (const section of sections) section.hidden = false;
  mutantList.grow(2000);
  testList.grow(Math.max(testList.shown, 200));
  tree.open(200);
  matrix.draw();
});
addEventListener("afterprint", () => openTab(open ?? sections[0].id));
openTab(sections[0].id);
follow();
