"use strict";
// Offsets are UTF-16 units in here, and code points in marks that come from or go to a file.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const talks = data.conversations;
  const key = "tacenda-packet-" + data.packet;
  const at = (id) => document.getElementById(id);
  const points = (text, units) => [...text.slice(0, units)].length;
  const units = (text, count) => [...text].slice(0, count).join("").length;
  const textOf = (talk, place) => (place.on_label ? talk.turns[place.turn][0] : talk.turns[place.turn][1]) ?? "";
  const inUnits = (talk, m) => ({ ...m, start: units(textOf(talk, m), m.start), end: units(textOf(talk, m), m.end) });
  const inPoints = (talk, m) => {
    const text = textOf(talk, m);
    return { turn: m.turn, start: points(text, m.start), end: points(text, m.end), label: labelOf(m),
      entity: m.entity, on_label: m.on_label, text: text.slice(m.start, m.end) };
  };
  const labelOf = (m) => "MISSED_" + m.tag + (m.speaker ? "_SPEAKER" : "") + (m.partial ? "_PARTIAL" : "");
  const parsed = (m) => {
    const [, tag, rest] = /^(?:MISSED_)?(.+?)((?:_PARTIAL|_SPEAKER)*)$/s.exec(m.label);
    return { turn: m.turn, start: m.start, end: m.end, on_label: Boolean(m.on_label), tag,
      partial: rest.includes("_PARTIAL"), speaker: rest.includes("_SPEAKER"), entity: m.entity ?? null };
  };
  const speakable = new Set(data.tags.filter((t) => t.speaker).map((t) => t.tag));

  let state = { name: "", marks: talks.map((t) => t.marks.map((m) => parsed(inUnits(t, m)))), read: talks.map(() => false), seconds: talks.map(() => 0) };
  let past = [];
  let now = 0;
  let sel = null;
  let canSave = true;
  let exported = true;

  const stored = () => {
    try {
      const found = JSON.parse(localStorage.getItem(key));
      if (found && found.read.length === talks.length && found.marks.length === talks.length) state = { ...state, ...found };
    } catch { canSave = false; }
  };
  // Seconds with a conversation in front of the reader; after two minutes without a key or a click nobody is there.
  let since = Date.now();
  const clock = () => {
    const passed = (Date.now() - since) / 1000;
    since = Date.now();
    if (!document.hidden) state.seconds[now] += Math.min(passed, 120);
  };
  for (const kind of ["keydown", "pointerdown", "visibilitychange"]) document.addEventListener(kind, clock, true);
  const save = () => {
    try { localStorage.setItem(key, JSON.stringify(state)); canSave = true; } catch { canSave = false; }
    exported = false;
    at("saved").textContent = canSave ? "Saved in this browser." : "This browser does not save: export before you close the page.";
  };
  const change = (act) => {
    past.push({ marks: structuredClone(state.marks), read: [...state.read], now, sel: sel && { ...sel } });
    if (past.length > 500) past.shift();
    act();
    save();
    draw();
  };
  const undo = () => {
    const before = past.pop();
    if (!before) return;
    state.marks = before.marks; state.read = before.read; now = before.now; sel = before.sel;
    save();
    draw();
  };

  // Words, and replacement tokens as one word.
  const words = (text) => [...text.matchAll(/\[[A-Z][A-Z0-9_]*_\d+\]|[\p{L}\p{M}\p{N}]+/gu)].map((m) => ({ start: m.index, end: m.index + m[0].length }));
  const whole = (place) => words(textOf(talks[now], place));
  const first = (place, last) => {
    const found = whole(place);
    const word = last ? found[found.length - 1] : found[0];
    sel = { turn: place.turn, on_label: place.on_label, start: word ? word.start : 0, end: word ? word.end : 0 };
  };
  const toTurn = (turn, last) => {
    if (turn < 0 || turn >= talks[now].turns.length) return;
    first({ turn, on_label: false }, last);
  };
  const move = (step) => {
    const found = whole(sel);
    const next = step > 0 ? found.find((w) => w.start >= sel.end && (w.start > sel.start || sel.end === sel.start))
      : found.findLast((w) => w.end <= sel.start);
    if (next) { sel.start = next.start; sel.end = next.end; } else toTurn(sel.turn + step, step < 0);
  };
  const grow = (step) => {
    const found = whole(sel);
    if (step > 0) {
      const next = found.find((w) => w.end > sel.end);
      if (next) sel.end = next.end;
    } else {
      const before = found.findLast((w) => w.end < sel.end && w.end > sel.start);
      if (before) sel.end = before.end;
    }
  };
  const isPair = (text, i) => /[\udc00-\udfff]/.test(text[i] ?? "") && /[\ud800-\udbff]/.test(text[i - 1] ?? "");
  const shift = (edge, step) => {
    const text = textOf(talks[now], sel);
    let place = sel[edge] + step;
    if (isPair(text, place)) place += step;
    if (place < 0 || place > text.length) return;
    if (edge === "start" ? place >= sel.end : place <= sel.start) return;
    sel[edge] = place;
  };

  const samePlace = (m) => m.turn === sel.turn && m.on_label === sel.on_label;
  const current = () => {
    if (!sel) return null;
    const of = state.marks[now].filter(samePlace);
    return of.find((m) => m.start === sel.start && m.end === sel.end)
      ?? of.filter((m) => m.start <= sel.start && sel.end <= m.end).sort((a, b) => a.end - a.start - (b.end - b.start))[0] ?? null;
  };
  const crosses = () => state.marks[now].some((m) => samePlace(m) && m.start < sel.end && sel.start < m.end
    && !(m.start <= sel.start && sel.end <= m.end) && !(sel.start <= m.start && m.end <= sel.end));
  const tell = (text) => { at("saved").textContent = text; };
  const setTag = (tag) => {
    if (!sel || sel.start === sel.end) return;
    const there = state.marks[now].find((m) => samePlace(m) && m.start === sel.start && m.end === sel.end);
    if (!there && crosses()) { tell("Marks may lie in each other, and not overlap in part."); return; }
    change(() => {
      if (there) { there.tag = tag; there.speaker = there.speaker && speakable.has(tag); }
      else state.marks[now].push({ turn: sel.turn, start: sel.start, end: sel.end, on_label: sel.on_label, tag, partial: false, speaker: false, entity: null });
    });
  };
  const toggle = (what) => {
    const mark = current();
    if (!mark) return;
    if (what === "speaker" && !speakable.has(mark.tag)) { tell("This tag has no value of its own for speakers."); return; }
    change(() => { mark[what] = !mark[what]; });
  };
  const inOrder = () => [...state.marks[now]].sort((a, b) => a.turn - b.turn || b.on_label - a.on_label || a.start - b.start || b.end - a.end);
  const sameAs = () => {
    const mark = current();
    if (!mark) return;
    const before = inOrder();
    const earlier = before.slice(0, before.indexOf(mark)).reverse();
    if (!earlier.length) { tell("There is no earlier mark."); return; }
    change(() => {
      const joined = mark.entity === null ? -1 : earlier.findLastIndex((m) => m.entity === mark.entity);
      const other = earlier[joined + 1];
      mark.entity = null;
      for (const m of state.marks[now]) {
        if (m.entity !== null && state.marks[now].filter((one) => one.entity === m.entity).length < 2) m.entity = null;
      }
      if (!other) return;
      if (other.entity === null) {
        const used = state.marks[now].map((m) => Number(m.entity)).filter((n) => n > 0);
        other.entity = String(Math.max(0, ...used) + 1);
      }
      mark.entity = other.entity;
    });
  };
  const remove = () => {
    const mark = current();
    if (mark) change(() => { state.marks[now] = state.marks[now].filter((m) => m !== mark); });
  };
  const toTalk = (number) => {
    if (number < 0 || number >= talks.length) return;
    clock();
    now = number;
    toTurn(0);
    draw();
  };
  const finish = () => {
    change(() => { state.read[now] = true; });
    if (now + 1 < talks.length) toTalk(now + 1); else tell("That was the last one: export now.");
  };

  const node = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  // One character for one unit, so that nothing turns or hides the text beside it.
  const shown = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, (c) => (/[\n\t\u200c\u200d]/.test(c) ? c : "\ufffd".repeat(c.length)));
  const drawText = (into, talk, place) => {
    const text = textOf(talk, place);
    const marks = state.marks[now].filter((m) => m.turn === place.turn && m.on_label === place.on_label);
    const here = sel && sel.turn === place.turn && sel.on_label === place.on_label ? sel : null;
    const edges = new Set([0, text.length, ...marks.flatMap((m) => [m.start, m.end]), ...(here ? [here.start, here.end] : [])]);
    const sorted = [...edges].sort((a, b) => a - b);
    into.dataset.turn = place.turn;
    into.dataset.label = place.on_label ? "1" : "";
    sorted.slice(0, -1).forEach((start, i) => {
      const end = sorted[i + 1];
      const over = marks.filter((m) => m.start <= start && end <= m.end);
      const piece = node(over.length ? "mark" : "span", here && here.start <= start && end <= here.end ? "here-text" : "", shown(text.slice(start, end)));
      piece.dataset.start = start;
      if (over.length) piece.title = over.map(told).join("; ");
      into.append(piece);
    });
  };
  const told = (m) => m.tag + (m.partial ? ", in part" : "") + (m.speaker ? ", the speaker’s" : "") + (m.entity ? ", no. " + m.entity : "");

  function draw() {
    const talk = talks[now];
    const done = state.read.filter(Boolean).length;
    at("progress").textContent = done + " of " + talks.length + " read";
    at("bar").max = talks.length;
    at("bar").value = done;
    at("undo").disabled = !past.length;
    at("title").textContent = shown(talk.conversation_id) + (talk.context ? " · " + shown(talk.context) : "");
    at("hint").textContent = talk.hint;
    at("read").checked = state.read[now];
    at("list").replaceChildren(...talks.map((one, i) => {
      const button = node("button", state.read[i] ? "read" : "unread", shown(one.conversation_id));
      button.type = "button";
      button.tabIndex = -1;
      if (i === now) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => toTalk(i));
      const item = node("li");
      item.append(button);
      return item;
    }));
    at("turns").replaceChildren(...talk.turns.map(([speaker], turn) => {
      const row = node("div", "turn" + (sel && sel.turn === turn ? " here" : ""));
      const who = node("div", "who"), said = node("div", "said");
      said.dir = "auto";
      if (speaker) drawText(who, talk, { turn, on_label: true });
      drawText(said, talk, { turn, on_label: false });
      row.append(who, said);
      return row;
    }));
    const mark = current();
    at("tags").replaceChildren(...data.tags.slice(0, data.keys).map(({ tag }, i) => {
      const item = node("li", mark && mark.tag === tag ? "here" : "");
      const button = node("button", "", tag);
      button.type = "button";
      button.addEventListener("click", () => setTag(tag));
      item.append(node("kbd", "", String(i + 1)), button);
      return item;
    }));
    at("marks").replaceChildren(...inOrder().map((m) => {
      const item = node("li", m === mark ? "here" : "");
      const button = node("button", "", "“" + shown(textOf(talk, m).slice(m.start, m.end)) + "” " + told(m));
      button.type = "button";
      button.addEventListener("click", () => { sel = { turn: m.turn, on_label: m.on_label, start: m.start, end: m.end }; draw(); at("turns").focus({ preventScroll: true }); });
      item.append(button);
      return item;
    }));
    document.querySelector(".here-text")?.scrollIntoView({ block: "nearest" });
  }

  const exportFile = () => {
    const name = at("name").value.trim();
    if (!/[\p{L}\p{N}]/u.test(name)) { tell("Enter your name first."); at("name").focus(); return; }
    const told = { format: data.format, packet: data.packet, reviewed_by: name,
      conversations: talks.map((talk, i) => ({ conversation_id: talk.conversation_id, text_hash: talk.text_hash,
        read: state.read[i], seconds: Math.round(state.seconds[i]), marks: inOrderOf(i).map((m) => inPoints(talk, m)) })) };
    const link = node("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(told, null, 1) + "\n"], { type: "application/json" }));
    link.download = "review-" + data.packet + "-" + name.replace(/[^\p{L}\p{N}]+/gu, "-") + ".json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    exported = true;
    const left = state.read.filter((r) => !r).length;
    tell(left ? "Exported. Still to read: " + left + "." : "Exported.");
  };
  const inOrderOf = (i) => [...state.marks[i]].sort((a, b) => a.turn - b.turn || b.on_label - a.on_label || a.start - b.start || b.end - a.end);
  const openFile = async (file) => {
    try {
      const found = JSON.parse(await file.text());
      if (found.format !== data.format || found.packet !== data.packet) throw new Error();
      change(() => {
        state.marks = found.conversations.map((c, i) => c.marks.map((m) => parsed(inUnits(talks[i], m))));
        state.read = found.conversations.map((c) => c.read === true);
        state.seconds = found.conversations.map((c) => c.seconds ?? 0);
        state.name = found.reviewed_by;
      });
      at("name").value = state.name;
    } catch { tell("This file is not an export of this packet."); }
  };

  const keys = {
    ArrowRight: (e) => (e.shiftKey ? grow(1) : move(1)),
    ArrowLeft: (e) => (e.shiftKey ? grow(-1) : move(-1)),
    ArrowDown: () => toTurn(sel.turn + 1),
    ArrowUp: () => toTurn(sel.turn - 1),
    ".": () => shift("end", 1), ",": () => shift("end", -1), ">": () => shift("start", 1), ":": () => shift("start", 1),
    "<": () => shift("start", -1), ";": () => shift("start", -1),
    l: () => { if (talks[now].turns[sel.turn][0]) first({ turn: sel.turn, on_label: !sel.on_label }); },
    p: () => toggle("partial"), s: () => toggle("speaker"), e: sameAs, u: undo,
    Delete: remove, Backspace: remove, Enter: finish,
    "[": () => toTalk(now - 1), "]": () => toTalk(now + 1),
    t: () => at("all").focus(),
    "?": () => help(),
  };
  const help = () => {
    at("keys").hidden = !at("keys").hidden;
    at("help").setAttribute("aria-expanded", String(!at("keys").hidden));
  };
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select") || event.altKey || event.metaKey) return;
    if (event.target.closest("button") && ["Enter", " "].includes(event.key)) return;
    if (event.ctrlKey) { if (event.key === "z") { event.preventDefault(); undo(); } return; }
    if (/^[1-9]$/.test(event.key) && Number(event.key) <= data.keys) { event.preventDefault(); setTag(data.tags[event.key - 1].tag); return; }
    const act = keys[event.key];
    if (!act || !sel) return;
    event.preventDefault();
    act(event);
    draw();
  });
  at("turns").addEventListener("mouseup", () => {
    const range = getSelection();
    if (range.isCollapsed && !range.anchorNode) return;
    const place = (container, offset) => {
      const piece = (container.nodeType === 3 ? container.parentElement : container).closest("[data-start]");
      return piece && { box: piece.parentElement, unit: Number(piece.dataset.start) + (container.nodeType === 3 ? offset : 0) };
    };
    const from = place(range.anchorNode, range.anchorOffset), to = place(range.focusNode, range.focusOffset);
    if (!from || !to || from.box !== to.box) return;
    let [start, end] = [from.unit, to.unit].sort((a, b) => a - b);
    const box = { turn: Number(from.box.dataset.turn), on_label: Boolean(from.box.dataset.label) };
    if (start === end) {
      const word = whole(box).find((w) => w.start <= start && start <= w.end);
      if (!word) return;
      ({ start, end } = word);
    }
    sel = { ...box, start, end };
    range.removeAllRanges();
    draw();
    at("turns").focus({ preventScroll: true });
  });

  at("all").append(node("option", "", "…"));
  for (const group of new Set(data.tags.map((t) => t.group))) {
    const part = node("optgroup");
    part.label = group;
    data.tags.filter((t) => t.group === group).forEach((t) => part.append(node("option", "", t.tag)));
    at("all").append(part);
  }
  at("all").addEventListener("change", (event) => {
    if (event.target.selectedIndex > 0) setTag(event.target.value);
    event.target.selectedIndex = 0;
    at("turns").focus({ preventScroll: true });
  });
  at("name").addEventListener("input", (event) => { state.name = event.target.value; save(); });
  at("name").addEventListener("keydown", (event) => { if (event.key === "Enter") at("turns").focus({ preventScroll: true }); });
  at("read").addEventListener("change", (event) => change(() => { state.read[now] = event.target.checked; }));
  at("undo").addEventListener("click", undo);
  at("export").addEventListener("click", exportFile);
  at("help").addEventListener("click", help);
  at("open").addEventListener("click", () => at("file").click());
  at("file").addEventListener("change", (event) => { if (event.target.files.length) openFile(event.target.files[0]); event.target.value = ""; });
  addEventListener("beforeunload", (event) => { if (!canSave && !exported) event.preventDefault(); });

  stored();
  at("name").value = state.name;
  toTurn(0);
  draw();
  at("turns").focus({ preventScroll: true });
})();
