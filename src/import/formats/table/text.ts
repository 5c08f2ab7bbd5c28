// Plain text of conference lists as the HTML that texts of events are.
import { filledTextIn, type Given } from '../../fields.ts';

/** A plain text that is shown as it stands: what looks like a tag or an entity in it is none. */
export const plainAsHtml = (text: string): string =>
  text
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A link; what is no web address stays text. */
function link(address: string, text: string): string {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return `${text}: ${plainAsHtml(address)}`;
  return `<a href="${attribute(address)}">${text}</a>`;
}

/** What a list tells beside name, time and place, a paragraph each; `''` when there is nothing. */
export function conferenceDescription(record: Given): string {
  const until = filledTextIn(record, 'cfpEndDate');
  const callFor = filledTextIn(record, 'cfpUrl');
  const conduct = filledTextIn(record, 'cocUrl');
  const paragraphs = [
    callFor === undefined
      ? null
      : `${link(callFor, 'Call for papers')}${until === undefined ? '' : ` until ${plainAsHtml(until)}`}`,
    conduct === undefined ? null : link(conduct, 'Code of conduct'),
    record.offersSignLanguageOrCC === true ? 'Sign language or closed captions are offered.' : null,
    ...['Twitter', 'Mastodon', 'Bluesky'].map((network) => account(record, network)),
  ];
  const told = paragraphs.filter((paragraph) => paragraph !== null);
  return told.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
}

function account(record: Given, network: string): string | null {
  const name = filledTextIn(record, network.toLowerCase());
  return name === undefined ? null : `${network}: ${plainAsHtml(name)}`;
}
