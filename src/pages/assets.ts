// Style and scripts of the pages, read once. Their addresses change with their content, so they may be cached for ever. The style
// of public pages is written into them: on a telephone a further request takes longer than its six kilobytes.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { readableLike } from '../calendar/site/domain/accent.ts';
import type { Site } from '../calendar/site/queries/site.ts';
import { acceptedCodings, type Coding, compressed } from '../http/answers/content-coding.ts';
import { isKnown } from '../http/answers/etag.ts';
import { askedOnce } from '../kernel/event-loop/shared-work.ts';
import { accentStyle, type Theme } from './theme.ts';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** The compressed bytes, which are made once for all requests. */
  compressed(coding: Coding): Promise<Buffer>;
  readonly digest: string;
}

const { resolve } = createRequire(import.meta.url);

const fileOf = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'assets', name));

/** A file of a package, which we serve as it is. */
const fileOfPackage = (name: string): Buffer => readFileSync(resolve(name));

function asset(name: string, type: string, bytes = fileOf(name)): Asset {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const [stem, ending] = name.split('.');
  return {
    path: `/assets/${stem}-${digest}.${ending}`,
    type,
    bytes,
    digest,
    compressed: askedOnce((coding: Coding) => compressed(coding, bytes)),
  };
}

const SCRIPT = 'text/javascript; charset=utf-8';

const STYLE = 'text/css; charset=utf-8';

/** What the site and the desk share, and then a style of its own. */
const styleOf = (name: string): Buffer => Buffer.concat([fileOf('base.css'), fileOf(name)]);

/** A module behind others that it uses: browsers cannot import them by addresses that change with their content. */
const script = (name: string, ...before: readonly string[]): Asset =>
  asset(name, SCRIPT, Buffer.concat([...before, name].map(fileOf)));

/** A style that is written into pages: its text, and by what their policy admits it. */
interface Inline {
  readonly text: string;
  readonly source: string;
}

const inline = (text: string): Inline => ({
  text,
  source: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
});

export const ASSETS = {
  icon: asset('icon.svg', 'image/svg+xml'),
  script: script('site.js', 'live-filters.js'),
  localTime: script('local-time.js'),
  deskStyle: asset('desk.css', STYLE, styleOf('desk.css')),
  deskScript: script('desk.js', 'live-filters.js'),
  moments: script('moments.js', 'written-dates.js'),
  eventForm: script('event-form.js', 'written-dates.js', 'moments.js'),
  richText: asset('rich-text.js', SCRIPT),
  trix: asset('trix.js', SCRIPT, fileOfPackage('trix/dist/trix.umd.min.js')),
  embed: asset('embed.js', SCRIPT),
  deskCalendar: asset('desk-calendar.js', SCRIPT),
  calendarStyle: asset('event-calendar.css', STYLE, fileOfPackage('@event-calendar/build/dist/event-calendar.min.css')),
  calendarScript: asset('event-calendar.js', SCRIPT, fileOfPackage('@event-calendar/build/dist/event-calendar.min.js')),
} as const;

const FOR_EVER = 'public, max-age=31536000, immutable';

/** What pages are made with: some of it is of the site's theme, or what an administrator has chosen instead. */
export interface PageAssets {
  readonly style: Inline;
  readonly icon: Asset;
  readonly script: Asset;
  readonly logo: Pick<Asset, 'path'> | null;
}

/** The assets of a site by its theme. */
interface SiteAssets extends PageAssets {
  readonly logo: Asset | null;
}

/** As many colours as sites of a process have at a time. */
const accented = new LRUCache<string, Inline>({ max: 20 });

/** The style with this colour. */
function styleWith({ text }: Inline, colour: string): Inline {
  const before = accented.get(colour);
  if (before) return before;
  const style = inline(text + accentStyle({ light: colour, dark: readableLike('dark', colour) }));
  accented.set(colour, style);
  return style;
}

export const chosenAssets = (assets: SiteAssets, { logo, accent }: Pick<Site, 'logo' | 'accent'>): PageAssets => ({
  ...assets,
  logo: logo === null ? assets.logo : { path: logo.url },
  style: accent === null ? assets.style : styleWith(assets.style, accent),
});

export const themedAssets = ({ style, logo }: Theme): SiteAssets => ({
  ...ASSETS,
  // Without comments and indentation.
  style: inline(
    styleOf('site.css')
      .toString()
      .replaceAll(/\/\*[\s\S]*?\*\/|\s*\n\s*/g, ' ') + style,
  ),
  logo: logo && asset(logo.name, logo.type, logo.bytes),
});

export function serveAssets(scope: FastifyInstance, { logo }: SiteAssets): void {
  for (const asset of [...Object.values(ASSETS), ...(logo === null ? [] : [logo])])
    scope.get(asset.path, (_request, reply) => sendAsset(reply, asset, FOR_EVER));
}

export async function sendAsset(reply: FastifyReply, asset: Asset, caching: string): Promise<FastifyReply> {
  const { headers } = reply.request;
  const [coding] = acceptedCodings(headers['accept-encoding']);
  const etag = `"${asset.digest}${coding === undefined ? '' : `-${coding}`}"`;
  reply.headers({ etag, 'cache-control': caching, vary: 'Accept-Encoding' });
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
  const content = coding === undefined ? asset.bytes : await asset.compressed(coding);
  if (coding !== undefined) reply.header('content-encoding', coding);
  return reply.type(asset.type).send(content);
}
