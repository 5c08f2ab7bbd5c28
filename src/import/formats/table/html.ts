// Plain text of tables and calendars as HTML, the form of event texts.

/** A plain text as HTML: what looks like a tag or an entity in it is escaped. */
export const plainAsHtml = (text: string): string =>
  text
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A link; anything but a web address stays text. */
export function link(address: string, text: string): string {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return `${text}: ${plainAsHtml(address)}`;
  return `<a href="${attribute(address)}">${text}</a>`;
}
