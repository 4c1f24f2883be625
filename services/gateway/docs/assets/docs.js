// The pages work without this script; it adds the search, copying, the theme and the menu of small screens.
const root = document.documentElement;
const stored = name => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};
const store = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Without storage the browser forgets the choice.
  }
};
root.classList.add("js");
const theme = stored("weft-theme");
if (theme) root.dataset.theme = theme;
root.dataset.language = stored("weft-language") ?? "curl";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const element = (tag, fields = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), fields);
  made.append(...children);
  return made;
};

function setUpTheme() {
  const dark = () => getComputedStyle(root).colorScheme === "dark" || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches); // prettier-ignore
  document.querySelector(".theme").addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    store("weft-theme", root.dataset.theme);
  });
}

function setUpMenu() {
  const button = document.querySelector(".menu");
  const navigation = document.getElementById("site-navigation");
  const show = open => {
    navigation.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => show(!navigation.classList.contains("open")));
  navigation.addEventListener("click", ({ target }) => target.closest("a") && show(false));
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !navigation.classList.contains("open")) return;
    show(false);
    button.focus();
  });
  const current = navigation.querySelector("[aria-current], .within");
  if (current && current.offsetTop > navigation.clientHeight - 60) navigation.scrollTop = current.offsetTop - 200;
}

async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Browsers allow the clipboard only on pages over TLS or from this machine.
  const area = element("textarea", { value: text, className: "visually-hidden" });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function setUpCopying() {
  for (const figure of all(".code")) {
    const button = element("button", { type: "button", className: "copy", textContent: "Copy" });
    button.addEventListener("click", async () => {
      await copyText(figure.querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    figure.append(button);
  }
}

function setUpContents() {
  const links = new Map(all(".contents a").map(link => [decodeURIComponent(link.hash.slice(1)), link]));
  if (links.size === 0) return;
  const headings = all("article :is(h2, h3)[id]").filter(({ id }) => links.has(id));
  const mark = () => {
    const passed = headings.filter(heading => heading.getBoundingClientRect().top < 120).at(-1) ?? headings[0];
    for (const [id, link] of links) link.classList.toggle("here", id === passed?.id);
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

/** A link into folded text unfolds it. */
function unfoldTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
  target.scrollIntoView();
}

function setUpReference() {
  const routes = all(".operation, .operation-link");
  const filter = document.querySelector(".filter");
  if (!filter) return;
  filter.hidden = false;
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const route of routes) {
      const head = route.querySelector("summary") ?? route;
      const text = `${head.textContent} ${route.id}`.toLowerCase();
      route.hidden = !words.every(word => text.includes(word));
    }
    for (const group of all(".group")) group.hidden = all(".operation-link", group).every(route => route.hidden);
  });
  const folded = all("details.operation");
  if (folded.length === 0) return;
  const unfold = document.querySelector(".unfold");
  unfold.hidden = false;
  unfold.addEventListener("click", () => {
    const open = folded.some(one => !one.open);
    for (const one of folded) one.open = open;
    unfold.textContent = open ? "Collapse all" : "Expand all";
  });
  const buttons = all("[data-choose]");
  const choose = language => {
    root.dataset.language = language;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.choose === language));
  };
  document.querySelector(".languages").hidden = false;
  for (const button of buttons) {
    button.addEventListener("click", () => {
      choose(button.dataset.choose);
      store("weft-language", button.dataset.choose);
    });
  }
  choose(root.dataset.language);
  addEventListener("beforeprint", () => all("details").forEach(one => (one.open = true)));
}

/** How well an entry matches the words; 0 when a word is missing. */
function fitness(entry, words) {
  let sum = 0;
  for (const word of words) {
    const heading = entry.heading.indexOf(word);
    if (entry.heading === word) sum += 30;
    else if (heading === 0 || entry.heading[heading - 1] === " ") sum += 16;
    else if (heading > 0) sum += 8;
    else if (entry.title.includes(word)) sum += 6;
    else if (entry.text.includes(word)) sum += entry.text.includes(` ${word}`) ? 3 : 1;
    else return 0;
  }
  // Readers look for instructions first, so the decision records rank lower.
  return (entry.u.startsWith("/docs/adr") ? sum / 3 : sum) - entry.heading.length / 100;
}

/** The text around the first match, with the words marked. */
function snippet(text, words) {
  const lower = text.toLowerCase();
  const at = Math.max(0, Math.min(...words.map(word => lower.indexOf(word)).filter(place => place >= 0)) || 0);
  const from = Number.isFinite(at) && at > 40 ? text.indexOf(" ", at - 30) + 1 : 0;
  const shown = text.slice(from, from + 140);
  const pattern = new RegExp(`(${words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return shown.split(pattern).map((part, place) => (place % 2 ? element("mark", { textContent: part }) : part));
}

function setUpSearch() {
  const input = document.getElementById("site-search");
  const list = document.getElementById("site-results");
  const [status, none] = ["site-found", "site-none"].map(id => document.getElementById(id));
  let entries;
  let chosen = -1;
  const load = () => {
    entries ??= fetch(root.dataset.search)
      .then(answer => answer.json())
      .then(found =>
        found.map(entry => ({
          ...entry,
          heading: entry.h.toLowerCase(),
          title: entry.t.toLowerCase(),
          text: ` ${entry.x.toLowerCase()}`,
        })),
      );
    entries.catch(() => (entries = undefined));
    return entries;
  };
  const show = open => {
    list.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    input.removeAttribute("aria-activedescendant");
  };
  const choose = place => {
    const options = all("[role=option]", list);
    if (options.length === 0) return;
    chosen = (place + options.length) % options.length;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    options[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", options[chosen].id);
  };
  const search = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return show(false);
    const known = await load();
    const found = known
      .map(entry => ({ entry, score: fitness(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 12);
    const options = found.map(({ entry }, place) =>
      element(
        "li",
        { id: `result-${place}`, role: "option" },
        element(
          "a",
          { href: entry.u, tabIndex: -1 },
          entry.h,
          element("small", { textContent: entry.t === entry.h ? "" : entry.t }),
          element("p", {}, ...snippet(entry.x, words)),
        ),
      ),
    );
    list.replaceChildren(...(options.length > 0 ? options : [none.content.cloneNode(true)]));
    status.textContent = options.length === 1 ? "1 result" : `${options.length} results`;
    show(true);
    if (options.length > 0) return choose(0);
    chosen = -1; // Enter follows no suggestion that the arrow keys did not choose.
    status.textContent = none.content.textContent;
  };
  input.addEventListener("focus", load);
  input.addEventListener("input", search);
  input.addEventListener("keydown", event => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(Math.max(chosen, 0) - 1);
    else if (event.key === "Enter" && !list.hidden) all("[role=option] a", list)[chosen]?.click();
    else if (event.key === "Escape") show(false);
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", () => show(false));
  document.addEventListener("pointerdown", ({ target }) => target.closest(".search") || show(false));
  document.addEventListener("keydown", event => {
    const typing = event.target.closest("input, textarea, select");
    const asked = (event.key === "/" && !typing) || (event.key === "k" && (event.ctrlKey || event.metaKey));
    if (!asked) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

document.addEventListener("DOMContentLoaded", () => {
  for (const setUp of [setUpTheme, setUpMenu, setUpCopying, setUpContents, setUpReference, setUpSearch]) setUp();
  unfoldTarget();
  addEventListener("hashchange", unfoldTarget);
});
