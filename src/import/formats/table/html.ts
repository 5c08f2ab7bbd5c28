// Plain text of tables and calendars as the HTML that texts of events are.

/** A plain text that is shown as it is: what looks like a tag or an entity in it is none. */
export const plainAsHtml = (text: string): string =>
  text
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A link; what is no web address stays text. */
export function link(address: string, text: string): string {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return `${text}: ${plainAsHtml(address)}`;
  return `<a href="${attribute(address)}">${text}</a>`;
}
