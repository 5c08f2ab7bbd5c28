// What administrators write, where a setting says so: frames from hosts that the operator names, and the elements that
// give a text its structure. Scripts, styles and forms never; the policy of the pages would not run them either.
// decision 28
import type { IOptions } from 'sanitize-html';
import type { Markup } from './html.ts';
import { CLEANED, safeHtml } from './safe-html.ts';

/** How far administrators are trusted; null: no further than others. */
export interface RawHtml {
  /** Whose pages may be framed: hosts, encrypted only. */
  readonly frameHosts: ReadonlySet<string>;
  /** Whether administrators alone have written the description of an event as of this revision. */
  readonly isByAdministrators: (id: number, revision: number) => Promise<boolean>;
}

interface Written {
  readonly id: number;
  readonly revision: number;
  readonly text: string;
}

/** Cleaned as everything else, unless it says more than that lets through and administrators have written it. */
export async function descriptionHtml(raw: RawHtml | null, { id, revision, text }: Written): Promise<Markup> {
  const cleaned = await safeHtml(text);
  if (raw === null || !text.includes('<')) return cleaned;
  const whole = await safeHtml(text, optionsFor(raw.frameHosts));
  // Who has written it is a question to the log: asked only if it makes a difference.
  if (whole.__html === cleaned.__html) return cleaned;
  return (await raw.isByAdministrators(id, revision)) ? whole : cleaned;
}

const TAGS = ['address', 'article', 'aside', 'big', 'center', 'footer', 'header', 'iframe', 'section', 'strike', 'tt'];

/** A frame shows itself and nothing else: it leads the page nowhere, and does not learn from where it was asked. */
const FRAME = {
  loading: 'lazy',
  referrerpolicy: 'no-referrer',
  sandbox: 'allow-scripts allow-same-origin allow-popups',
};

function optionsFor(hosts: ReadonlySet<string>): IOptions {
  const { allowedTags, allowedAttributes, transformTags, ...others } = CLEANED;
  return {
    ...others,
    allowedTags: [...allowedTags, ...TAGS],
    allowedAttributes: {
      ...allowedAttributes,
      iframe: ['src', 'title', 'width', 'height', 'allowfullscreen', ...Object.keys(FRAME)],
    },
    transformTags: {
      ...transformTags,
      iframe: (tagName, attribs) => ({ tagName, attribs: { ...attribs, ...FRAME } }),
    },
    // A frame without an address that is allowed would be an empty box.
    exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && !isFrom(hosts, attribs.src),
  };
}

function isFrom(hosts: ReadonlySet<string>, address = ''): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return protocol === 'https:' && username === '' && password === '' && hosts.has(host);
}

/** The sources of frames in the policy of the pages. */
export const frameSources = (raw: RawHtml | null): string[] =>
  [...(raw?.frameHosts ?? [])].map((host) => `https://${host}`);
