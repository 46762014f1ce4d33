// Elements, data that is read when it is needed, and lists that grow as they are read.

const $ = (id) => document.getElementById(id);

// An element with attributes and children. Texts become text nodes, so nothing in them is ever taken for markup.
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "line", "circle", "rect", "text", "title", "defs", "marker", "path"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

const lazily = (read) => { let value; return () => (value === undefined ? (value = read()) : value); };
const linesOf = (id) => lazily(() => $(id).textContent.split("\n"));

const index = JSON.parse($("index").textContent);
const mutantLines = linesOf("mutant-lines");
const testLines = linesOf("test-lines");
const sequenceLines = linesOf("sequence-lines");
const sequenceWords = lazily(() => JSON.parse($("sequence-words").textContent));

const mutants = index.mutants.map(([id, operator, family, file, line, column, status, change_in, change, kills], n) => ({
  n, id, operator, family, file, line, column, status: index.statuses[status], function: change_in, change, kills,
}));
// Mutants that need attention come first.
const inOrder = [...mutants].sort((a, b) => index.statuses.indexOf(a.status) - index.statuses.indexOf(b.status));
const tests = index.tests.map(([name, program, phase, verdict, of, row], n) => ({ n, name, program, phase, verdict, of, row }));
const killCount = index.differences.length || 1;
const testOf = (kill) => Math.floor(kill / killCount);
const differenceOf = (kill) => kill % killCount;

// The mutants that each test kills.
const killedBy = lazily(() => {
  const all = tests.map(() => []);
  for (const mutant of mutants) for (const kill of mutant.kills) all[testOf(kill)]?.push(mutant);
  return all;
});

const detailOf = (mutant) => JSON.parse(mutantLines()[mutant.n]);
const detailOfTest = (test) => JSON.parse(testLines()[test.n]);
const short = (text, longest = 300) => (text.length > longest ? text.slice(0, longest - 1) + "…" : text);
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const mutantLink = (mutant) => make("a", { href: `#mutant-${encodeURIComponent(mutant.id)}` }, short(mutant.id, 60));
const testLink = (n) => make("a", { href: `#test-${n + 1}`, title: short(tests[n]?.name ?? "") }, `#${n + 1}`);

// A list of links; the rest is shown on request.
function links(all, link, most = 40) {
  const list = make("ul", { class: "links" }, all.slice(0, most).map((it) => make("li", {}, link(it))));
  if (all.length > most) {
    const more = make("button", { type: "button", onclick: () => {
      more.parentElement.remove();
      list.append(...all.slice(most).map((it) => make("li", {}, link(it))));
    } }, `and ${all.length - most} more`);
    list.append(make("li", {}, more));
  }
  return list;
}

// A text of any length; the rest is shown on request.
function long(text, most = 800) {
  if (typeof text !== "string" || text.length <= most * 1.5) return text;
  const rest = make("button", { type: "button", onclick: () => rest.replaceWith(text.slice(most)) }, `… and ${(text.length - most).toLocaleString("en")} more characters`);
  return make("span", {}, text.slice(0, most), rest);
}

function facts(pairs) {
  const said = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return said.length ? make("dl", { class: "facts" }, said.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, long(value))])) : null;
}

// The events of a sequence; the one that differs is marked.
function events(sequence, differing) {
  const item = (event, n) => n === differing
    ? make("li", { class: "differs" }, short(event), make("span", { class: "hidden-word" }, " (differs here)"))
    : make("li", {}, short(event));
  return make("ol", { class: "events" }, sequence.map(item));
}

// A table whose rows open. It shows a part and grows as it is read, so that thousands of rows cost nothing.
class List {
  constructor({ name, key, cells, detail }) {
    Object.assign(this, { name, key, cells, detail, items: [], shown: 0 });
    this.body = $(`${name}-list`).tBodies[0];
    this.more = $(`${name}-more`);
    this.more.addEventListener("click", () => this.grow());
    this.body.addEventListener("keydown", (event) => this.keys(event));
    new IntersectionObserver((seen) => seen.some((it) => it.isIntersecting) && this.grow(), { rootMargin: "400px" }).observe(this.more);
  }

  show(items, words) {
    this.items = items;
    this.from(0);
    $(`${this.name}-count`).textContent = words;
    if (!items.length) this.body.append(make("tr", {}, make("td", { colspan: 6, class: "none" }, "There are none.")));
  }

  // Shows the list, starting there.
  from(start) {
    this.shown = start;
    this.body.replaceChildren();
    if (start) {
      const back = make("button", { type: "button", onclick: () => this.from(0) }, `Show the ${start.toLocaleString("en")} before`);
      this.body.append(make("tr", {}, make("td", { colspan: 6 }, back)));
    }
    this.grow();
  }

  grow(until = this.shown + 100) {
    const rows = this.items.slice(this.shown, until).map((item) => this.row(item));
    this.shown += rows.length;
    this.body.append(...rows);
    const rest = this.items.length - this.shown;
    this.more.hidden = rest === 0;
    this.more.textContent = `Show more (${rest.toLocaleString("en")} left)`;
  }

  row(item) {
    const id = this.key(item);
    const toggle = make("button", { type: "button", class: "toggle", "aria-expanded": "false", onclick: () => this.toggle(id) }, this.cells(item)[0]);
    const [, ...rest] = this.cells(item);
    return make("tr", { id }, make("th", { scope: "row" }, toggle), rest);
  }

  toggle(id, open) {
    const row = document.getElementById(id);
    const button = row.querySelector(".toggle");
    const isOpen = button.getAttribute("aria-expanded") === "true";
    if (isOpen === open) return row;
    button.setAttribute("aria-expanded", String(!isOpen));
    row.classList.toggle("open", !isOpen);
    if (isOpen) {
      row.nextElementSibling.remove();
      if (decodeURIComponent(location.hash.slice(1)) === id) history.replaceState(null, "", location.pathname + location.search);
    } else {
      const item = this.items.find((it) => this.key(it) === id);
      row.after(make("tr", { class: "detail" }, make("td", { colspan: 6 }, make("div", {}, this.detail(item)))));
      history.replaceState(null, "", `#${encodeURIComponent(id)}`);
    }
    return row;
  }

  // Opens a row by its id, wherever it is. False if the list does not have it now.
  open(id) {
    const at = this.items.findIndex((item) => this.key(item) === id);
    if (at < 0) return false;
    if (!document.getElementById(id)) {
      const isNear = at >= this.shown && at < this.shown + 300;
      if (isNear) this.grow(at + 20);
      else this.from(Math.max(0, at - 10));
    }
    const row = this.toggle(id, true);
    // At once: while a page scrolls smoothly, lists that grow would move what it scrolls to.
    row.scrollIntoView({ block: "start", behavior: "instant" });
    row.querySelector(".toggle").focus({ preventScroll: true });
    return true;
  }

  keys(event) {
    const button = event.target.closest?.(".toggle");
    if (!button) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const all = [...this.body.querySelectorAll(".toggle")];
      all[all.indexOf(button) + step]?.focus();
      event.preventDefault();
    } else if (event.key === "Escape" && button.getAttribute("aria-expanded") === "true") {
      button.click();
    }
  }
}
