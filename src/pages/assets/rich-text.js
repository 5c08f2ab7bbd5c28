// Text areas whose texts are formatted while they are typed: an editor stands over each, and the text area is sent as ever.
// A text that was not touched is sent as it was, and one with elements that the editor does not know keeps its text area.
const { blockAttributes } = Trix.config;
// The page has its own heading.
blockAttributes.heading1.tagName = 'h2';
blockAttributes.heading2 = { ...blockAttributes.heading1, tagName: 'h3' };

const MAX_FORMATTED = 100_000;
const KNOWN = 'p, br, div, strong, b, em, i, del, a, ul, ol, li, blockquote, pre, h2, h3';
/** What Markdown begins a line with, before a blank. */
const LINES = {
  '#': 'heading1',
  '##': 'heading1',
  '###': 'heading2',
  '-': 'bullet',
  '*': 'bullet',
  '1.': 'number',
  '>': 'quote',
};
/** What Markdown puts around words, by the sign that ends it. */
const AROUND = [
  [/\*\*([^*\n]+)\*\*$/, 'bold'],
  [/__([^_\n]+)__$/, 'bold'],
  [/(?<!\*)\*([^*\s][^*\n]*)\*$/, 'italic'],
  [/(?<![_\p{L}\p{N}])_([^_\s][^_\n]*)_$/u, 'italic'],
  [/\[([^\]\n]+)\]\((https?:\/\/[^)\s]+)\)$/, 'href'],
];

for (const tools of document.querySelectorAll('trix-toolbar')) {
  const area = document.getElementById(tools.dataset.text);
  // What was typed before this file was there stays where it was typed.
  if (area.value === area.defaultValue && isKnown(bodyOf(tools.dataset.formatted))) openEditor(tools, area);
}

function bodyOf(html) {
  return new DOMParser().parseFromString(html, 'text/html').body;
}

function isKnown(body) {
  return [...body.querySelectorAll('*')].every(
    (one) => one.matches(KNOWN) && [...one.attributes].every(({ name }) => name === 'href' || name === 'rel'),
  );
}

function openEditor(tools, area) {
  const { form, id } = area;
  const label = form.querySelector(`label[for="${id}"]`);
  const editor = document.createElement('trix-editor');
  editor.setAttribute('input', id);
  editor.setAttribute('toolbar', tools.id);
  editor.setAttribute('aria-label', label.textContent);
  editor.setAttribute('aria-multiline', 'true');
  if (document.getElementById(`${id}-problem`) !== null) {
    editor.setAttribute('aria-describedby', `${id}-problem`);
    editor.setAttribute('aria-invalid', 'true');
  }
  // The hint is about the text area.
  const hint = document.getElementById(`${id}-hint`);
  if (hint !== null) hint.hidden = true;
  label.removeAttribute('for');
  label.addEventListener('click', () => editor.focus());
  const written = area.value;
  let opened = null;
  area.value = tools.dataset.formatted;
  area.hidden = true;
  tools.hidden = false;
  area.before(editor);

  const open = () => {
    opened = area.value;
  };
  editor.addEventListener('trix-initialize', open, { once: true });
  editor.addEventListener('trix-file-accept', (event) => event.preventDefault());
  editor.addEventListener('trix-change', () => area.dispatchEvent(new Event('change', { bubbles: true })));
  editor.addEventListener('keydown', (event) => {
    if (event.key === ' ' && formatLine(editor.editor)) event.preventDefault();
  });
  editor.addEventListener('keyup', (event) => {
    if ('*_)'.includes(event.key)) formatWords(editor.editor);
  });
  // The editor listens to the mouse alone.
  tools.addEventListener('click', ({ detail, target }) => {
    const tool = target.closest('[data-trix-attribute]');
    if (detail === 0 && tool !== null)
      tool.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
  });
  form.addEventListener('formdata', ({ formData }) => {
    if (!editor.isConnected) return;
    const isTouched = opened !== null && area.value !== opened;
    formData.set(area.name, isTouched ? withParagraphs(area.value) : written);
  });
  // No editor formats a text of that length while it is typed.
  editor.addEventListener(
    'paste',
    (event) => {
      const pasted = event.clipboardData.getData('text/plain');
      if (pasted.length <= MAX_FORMATTED) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      close();
      area.setRangeText(pasted, area.value.length, area.value.length, 'end');
      area.dispatchEvent(new Event('change', { bubbles: true }));
    },
    { capture: true },
  );
  const close = () => {
    editor.remove();
    tools.hidden = true;
    area.hidden = false;
    area.setAttribute('aria-label', label.textContent);
  };
}

/** The editor separates paragraphs by empty lines. */
function withParagraphs(html) {
  const body = bodyOf(html);
  for (const block of body.querySelectorAll(':scope > div')) {
    const paragraphs = [document.createElement('p')];
    while (block.firstChild !== null) {
      const node = block.firstChild;
      const isEnd = node.nodeName === 'BR' && (node.nextSibling === null || node.nextSibling.nodeName === 'BR');
      if (!isEnd) paragraphs.at(-1).append(node);
      else {
        node.nextSibling?.remove();
        node.remove();
        paragraphs.push(document.createElement('p'));
      }
    }
    block.replaceWith(...paragraphs.filter((one) => one.hasChildNodes()));
  }
  // It keeps blanks beside elements by making them hard ones.
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    text.data = text.data.replace(/(?<=\S)\u00a0$/, ' ').replace(/^\u00a0(?=\S)/, ' ');
  }
  return body.innerHTML;
}

/** The text of the line before the cursor. */
function lineBefore(editor) {
  const [end] = editor.getSelectedRange();
  const text = editor.getDocument().toString().slice(0, end);
  return { end, line: text.slice(text.lastIndexOf('\n') + 1) };
}

function formatLine(editor) {
  const { end, line } = lineBefore(editor);
  const format = LINES[line];
  if (format === undefined || !editor.canActivateAttribute(format)) return false;
  editor.setSelectedRange([end - line.length, end]);
  editor.deleteInDirection('backward');
  editor.activateAttribute(format);
  return true;
}

function formatWords(editor) {
  const { end, line } = lineBefore(editor);
  for (const [pattern, format] of AROUND) {
    const [whole, words, address] = pattern.exec(line) ?? [];
    if (whole === undefined) continue;
    const start = end - whole.length;
    editor.setSelectedRange([start, end]);
    editor.insertString(words);
    editor.setSelectedRange([start, start + words.length]);
    editor.activateAttribute(format, address ?? true);
    editor.setSelectedRange(start + words.length);
    if (format !== 'href') editor.deactivateAttribute(format);
    return;
  }
}
