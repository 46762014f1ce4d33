// Which sequence is a variant of which: a tree for each program, whose branches are made when they are opened.

// The variants of each test, and how many there are below it in all. A variant comes after what it is a variant of.
const variantsOf = lazily(() => {
  const all = tests.map(() => []);
  for (const test of tests) if (test.of !== undefined) all[test.of].push(test);
  return all;
});
const countBelow = lazily(() => {
  const all = tests.map(() => 0);
  for (let n = tests.length - 1; n > 0; n--) if (tests[n].of !== undefined) all[tests[n].of] += all[n] + 1;
  return all;
});

// What a variant changed, in words: `V3 changes 7 server: accept deposits, from 3 producer3`.
function changeWords(test) {
  const row = test.row === undefined ? "" : `V${test.row + 1}`;
  const detail = detailOfTest(test);
  if (!detail.changes?.length || detail.diagram === null) return row;
  const words = sequenceWords(), [lanes, rows] = JSON.parse(sequenceLines()[detail.diagram]);
  const change = (at) => `${at + 1} ${rows[at][0].map((lane) => words[lanes[lane][0]]).join(" → ")}: ${words[rows[at][2]]}`;
  return `${row} changes ${detail.changes.map(change).join("; ")}`.trim();
}

const tree = {
  most: 50,
  isFilled: false,

  // The changes that led to a sequence are in the data that is read last, so the tree is built when its tab is opened.
  fill() {
    if (this.isFilled) return;
    this.isFilled = true;
    const roots = tests.filter((test) => test.of === undefined && variantsOf()[test.n].length);
    const box = $("tree-list");
    box.addEventListener("keydown", (event) => this.keys(event));
    if (!roots.length) box.append(make("p", { class: "none" }, tests.length ? "No test is known to be a variant of another." : "There are no sequences."));
    for (const root of roots) {
      box.append(make("h3", {}, short(index.programs[root.program] ?? "", 120), make("span", { class: "soft" }, ` ${plural(countBelow()[root.n] + 1, "sequence")}`)));
      const item = this.item(root);
      box.append(make("ul", {}, item));
      this.toggle(item);
    }
  },

  item(test) {
    const variants = variantsOf()[test.n].length, below = countBelow()[test.n];
    const count = below > variants ? `${plural(variants, "variant")}, ${below.toLocaleString("en")} below` : plural(variants, "variant");
    const words = test.of === undefined ? "the first" : short(changeWords(test) || test.name, 160);
    const toggle = make("button", { type: "button", class: "toggle", "aria-expanded": "false", onclick: () => this.toggle(item) }, make("span", { class: "hidden-word" }, `variants of #${test.n + 1}: `), count);
    const item = make("li", { "data-test": test.n }, make("span", { class: "node" }, testLink(test.n), " ", make("span", { class: "change" }, words), " ", variants ? toggle : null));
    return item;
  },

  toggle(item, open) {
    const button = item.querySelector(":scope > .node > .toggle"), isOpen = button?.getAttribute("aria-expanded") === "true";
    if (!button || isOpen === open) return;
    button.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) item.querySelector(":scope > ul").remove();
    else this.grow(item.appendChild(make("ul")), variantsOf()[Number(item.dataset.test)]);
  },

  // Adds some of the variants to a list, and a button for the rest.
  grow(list, variants) {
    list.append(...variants.slice(0, this.most).map((test) => this.item(test)));
    const rest = variants.slice(this.most);
    if (!rest.length) return;
    const more = make("button", { type: "button", onclick: () => {
      more.parentElement.remove();
      this.grow(list, rest);
      list.children[list.children.length - 1].querySelector("a, button")?.focus({ preventScroll: true });
    } }, `Show more (${rest.length.toLocaleString("en")} left)`);
    list.append(make("li", {}, more));
  },

  // Opens branches from the top, until there is about so much to see.
  open(most) {
    this.fill();
    for (let all; (all = [...$("tree-list").querySelectorAll(".toggle[aria-expanded=false]")]).length;) {
      for (const button of all) {
        if ($("tree-list").querySelectorAll("li").length >= most) return;
        this.toggle(button.closest("li"), true);
      }
    }
  },

  keys(event) {
    const at = event.target.closest?.("a, button"), item = at?.closest("li");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!item) return;
    if (step) {
      const all = [...$("tree-list").querySelectorAll("li")];
      all[all.indexOf(item) + step]?.querySelector("a, button").focus();
    } else if (event.key === "ArrowRight") this.toggle(item, true);
    else if (event.key === "ArrowLeft" && item.querySelector(":scope > ul")) this.toggle(item, false);
    else if (event.key === "ArrowLeft") item.parentElement.closest("li")?.querySelector("a, button").focus();
    else return;
    event.preventDefault();
  },
};
