// The race table of a sequence, beside its diagram: a row for each variant, a column for each event that could have taken something else.

// What could have been taken instead, by the numbers of events.
const insteadWords = (race) => (race === -1 ? "nothing" : [race].flat().map((row) => row + 1).join(" with "));

// The words for a sequence's variants. Nothing if they are not known.
function raceTable(figure, table, title, variants) {
  if (!table) return null;
  const [columns, rows, more] = table;
  if (!columns.length) return make("p", { class: "soft" }, "No event of this sequence could have taken anything else.");
  // Which of the sequences that follow is whose.
  const leads = new Map(variants.filter((test) => test.row !== undefined).map((test) => [test.row, test]));
  const hidden = (words) => make("span", { class: "hidden-word" }, words);
  const head = (row) => make("th", { scope: "col" },
    make("button", { type: "button", title: "Show it in the diagram", onclick: () => figure.choose(row) }, hidden("event "), String(row + 1)),
    make("span", { class: "soft" }, short(figure.who(row), 24), make("br"), short(figure.rows[row].words.split(",")[0], 28)));
  const cell = (digit, at) => {
    if (digit === 0) return make("td", { class: "soft" }, make("span", { "aria-hidden": "true" }, "·"), hidden("as it was"));
    if (digit < 0) return make("td", { class: "soft" }, make("span", { "aria-hidden": "true" }, "–"), hidden("does not come up"));
    return make("td", { class: "changed" }, hidden("takes "), insteadWords(figure.rows[columns[at]].races[digit - 1]));
  };
  const line = (digits, n) => make("tr", {}, make("th", { scope: "row" }, `V${n + 1}`), digits.map(cell),
    leads.size ? make("td", {}, leads.has(n) ? testLink(leads.get(n).n) : hidden("a sequence that was found before")) : null);
  const sets = columns.map((row) => make("td", {}, figure.rows[row].races.map(insteadWords).join(", ")));
  return make("div", { class: "races" },
    make("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": `Race table: ${title}` }, make("table", {},
      make("caption", {}, "Race table ", make("span", { class: "soft" }, "each row is a variant: a number is what an event takes instead, · leaves it as it was, – removes it")),
      make("thead", {},
        make("tr", {}, make("th", { scope: "col" }, "Variant"), columns.map(head), leads.size ? make("th", { scope: "col" }, "Leads to") : null),
        make("tr", { class: "sets" }, make("th", { scope: "row" }, "Race set"), sets, leads.size ? make("td") : null)),
      make("tbody", {}, rows.map(line)))),
    more ? make("p", { class: "soft" }, rows.length ? `There are more variants; these are ${rows.length}.` : "There are too many variants to list.") : null);
}
