// The list of mutants, its filters, and what is shown of one.

const operatorWords = (mutant) => index.operators[mutant.operator] ?? mutant.operator;

// Nobody has to look at these, so they are shown on request.
const QUIET = ["unreached", "unviable"];

const mutantList = new List({
  name: "mutants",
  key: (mutant) => `mutant-${mutant.id}`,
  cells: (mutant) => [
    short(mutant.id, 60),
    make("td", {}, make("span", { class: `end ${mutant.status}` }, mutant.status)),
    make("td", { class: "change mono" }, short(mutant.change)),
    make("td", { class: "where" }, short(`${index.files[mutant.file]}:${mutant.line}`, 200), mutant.function ? make("span", { class: "soft" }, ` ${short(mutant.function, 120)}`) : null),
    make("td", { title: short(`${mutant.operator}, ${index.families[mutant.family]}`, 120) }, short(operatorWords(mutant), 60)),
    make("td", { class: "n" }, mutant.kills.length ? String(mutant.kills.length) : "–"),
  ],
  detail: mutantDetail,
});

function mutantDetail(mutant) {
  const detail = detailOf(mutant);
  return [
    facts([["Operator", `${operatorWords(mutant)} (${mutant.operator}, ${index.families[mutant.family]})`], ["Place", `${index.files[mutant.file]}:${mutant.line}:${mutant.column}`], ["Killed by", detail.killed_by], ["Verdict", detail.survival], ["Reason", detail.reason]]),
    diff(detail.diff),
    ...(detail.distinguishing ? distinguishing(detail.distinguishing) : []),
    ...(detail.rejection ? rejection(detail.rejection) : []),
    ...(detail.kills.length ? kills(detail) : []),
  ].filter((part) => part !== null);
}

// A unified diff, a line each.
function diff(text) {
  if (!text) return null;
  const kind = (line) => (/^(---|\+\+\+|@@)/.test(line) ? "head" : line[0] === "+" ? "add" : line[0] === "-" ? "remove" : "");
  return make("pre", { tabindex: 0, role: "region", "aria-label": "Change" }, text.replace(/\n$/, "").split("\n").map((line) => make("span", { class: kind(line) }, line)));
}

// Why the test suite rejects it, and the behaviour that shows it.
function rejection(it) {
  const row = it.event === null ? undefined : it.rows?.[it.event];
  return [
    make("h3", {}, "Rejected by the test suite"),
    it.sequence.length ? events(it.sequence, it.event) : null,
    facts([["Program", index.programs[it.program]], ["Why", it.why]]),
    diagram(it.diagram, "What the mutant does", row),
  ];
}

// The sequence that a test needs in order to kill a survivor.
function distinguishing(it) {
  const row = it.event === null ? undefined : it.rows?.[it.event];
  return [
    make("h3", {}, "A sequence in which it differs"),
    events(it.sequence, it.event),
    facts([["Program", index.programs[it.program]], ["First difference", it.departure], ["Mutant", it.mutant], ["Original", it.original]]),
    diagram(it.diagram, "What the mutant does", row),
    it.test ? make("details", {}, make("summary", {}, "As a test"), make("pre", { tabindex: 0, role: "region", "aria-label": "Test" }, it.test)) : null,
  ];
}

// The tests that kill it; the first one's sequence is shown.
function kills({ kills, all }) {
  const [, event, , [first]] = kills[0];
  const test = detailOfTest(tests[first]);
  const row = event === null ? undefined : test.rows?.[event];
  const place = (event, [test]) => (event < detailOfTest(tests[test]).sequence.length ? `at event ${event + 1}` : "after the last event");
  const group = ([difference, event, outcome, by, departure]) => [
    facts([["Differs in", difference + (event === null ? "" : ` ${place(event, by)}`)], ["First difference", departure], ["Mutant", outcome], ["Tests", links(by, testLink)]]),
  ];
  return [
    make("h3", {}, all ? "Tests that kill it" : "Tests that kill it (not tried further after the first)"),
    ...kills.slice(0, 20).flatMap(group),
    kills.length > 20 ? make("p", { class: "soft" }, `and in ${kills.length - 20} more ways`) : null,
    make("h3", {}, `Test #${first + 1}: `, short(tests[first].name)),
    events(test.sequence, event),
    facts([["Original", test.original]]),
    diagram(test.diagram, `What the original does in test ${first + 1}`, row, variantsOf()[first]),
  ];
}

const chosenStatuses = () => new Set([...$("filter-status").querySelectorAll("input:checked")].map((box) => box.value));
const haystack = lazily(() => mutants.map((it) => `${it.id} ${it.operator} ${operatorWords(it)} ${index.files[it.file]}:${it.line} ${it.function} ${it.change}`.toLowerCase()));

function filterMutants() {
  const statuses = chosenStatuses(), family = $("filter-family").value, file = $("filter-file").value;
  const text = $("filter-text").value.trim().toLowerCase();
  const shown = inOrder.filter((it) => statuses.has(it.status) && (family === "" || it.family === Number(family)) &&
    (file === "" || it.file === Number(file)) && (text === "" || haystack()[it.n].includes(text)));
  mutantList.show(shown, shown.length === mutants.length ? plural(shown.length, "mutant") : `${shown.length.toLocaleString("en")} of ${plural(mutants.length, "mutant")}`);
  matrix.show(shown);
  const quiet = mutants.filter((it) => QUIET.includes(it.status) && !statuses.has(it.status)).length;
  $("mutants-hidden").hidden = quiet === 0;
  $("mutants-hidden").textContent = `Show ${quiet.toLocaleString("en")} unreached or unviable`;
}

// As the button does it, but at once.
function resetFilters(form) {
  for (const field of $(form).elements) {
    if (field.type === "checkbox") field.checked = field.defaultChecked;
    else if (field.type === "search" || field.tagName === "SELECT") field.value = "";
  }
}

const statusBox = (status) => [...$("filter-status").querySelectorAll("input")].find((box) => box.value === status);

// Resets the filters, other than those that hide a mutant.
function showMutant(id) {
  const mutant = mutants.find((it) => mutantList.key(it) === id);
  if (!mutant) return false;
  resetFilters("filters");
  statusBox(mutant.status).checked = true;
  filterMutants();
  return mutantList.open(id);
}

function fill(select, names) {
  $(select).append(...names.map((name, n) => make("option", { value: n }, short(name, 80))));
}

function startMutants() {
  const onlyQuiet = mutants.every((it) => QUIET.includes(it.status));
  for (const status of index.statuses) {
    const count = mutants.filter((it) => it.status === status).length;
    const checked = onlyQuiet || !QUIET.includes(status);
    if (count) $("filter-status").append(make("label", {}, make("input", { type: "checkbox", value: status, checked }), make("span", { class: `end ${status}` }, status), make("span", { class: "soft" }, String(count))));
  }
  fill("filter-family", index.families);
  fill("filter-file", index.files);
  const form = $("filters");
  form.addEventListener("input", filterMutants);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filterMutants));
  $("mutants-hidden").addEventListener("click", () => {
    for (const status of QUIET) if (statusBox(status)) statusBox(status).checked = true;
    filterMutants();
  });
  filterMutants();
}
