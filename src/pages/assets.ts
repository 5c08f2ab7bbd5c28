// Style and scripts of the pages, read once. Their addresses change with their content, so they may be cached for ever.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isReadable, readableLike } from '../calendar/site/domain/accent.ts';
import type { Site } from '../calendar/site/queries/site.ts';
import { acceptedCodings, type Coding, compressed } from '../http/answers/content-coding.ts';
import { isKnown } from '../http/answers/etag.ts';
import { askedOnce } from '../kernel/event-loop/shared-work.ts';
import { accentStyle, type Theme } from './theme.ts';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** The same compressed, once for all who ask. */
  compressed(coding: Coding): Promise<Buffer>;
  readonly digest: string;
}

const { resolve } = createRequire(import.meta.url);

const fileOf = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'assets', name));

/** Of a package, served by ourselves as it is. */
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
const styleSheet = (name: string): Asset => asset(name, STYLE, Buffer.concat([fileOf('base.css'), fileOf(name)]));

/** A module behind others that it uses: browsers cannot import them by addresses that change with their content. */
const script = (name: string, ...before: readonly string[]): Asset =>
  asset(name, SCRIPT, Buffer.concat([...before, name].map(fileOf)));

export const ASSETS = {
  style: styleSheet('site.css'),
  icon: asset('icon.svg', 'image/svg+xml'),
  script: script('site.js', 'live-filters.js'),
  localTime: script('local-time.js'),
  deskStyle: styleSheet('desk.css'),
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

/** The assets of a site: some are made of its theme. */
interface SiteAssets {
  readonly style: Asset;
  readonly icon: Asset;
  readonly script: Asset;
  readonly logo: Asset | null;
}

/** What pages link to: those assets, and what an administrator has chosen instead. */
export interface ShownAssets extends Pick<SiteAssets, 'style' | 'icon' | 'script'> {
  readonly logo: Pick<Asset, 'path'> | null;
  /** A style with the site's colour, after that of the pages. */
  readonly accent: Pick<Asset, 'path'> | null;
}

/** As many colours as are in use at a time, with room for what caches still ask for. */
const accents = new LRUCache<string, Asset>({ max: 20 });

/** A style for this colour. Its address says the colour, so that every process can serve it. */
function accentAsset(colour: string): Asset {
  const before = accents.get(colour);
  if (before) return before;
  const style = accentStyle({ light: colour, dark: readableLike('dark', colour) });
  const made = asset(`accent-${colour.slice(1)}.css`, STYLE, Buffer.from(style));
  accents.set(colour, made);
  return made;
}

export const chosenAssets = (assets: SiteAssets, { logo, accent }: Pick<Site, 'logo' | 'accent'>): ShownAssets => ({
  ...assets,
  logo: logo === null ? assets.logo : { path: logo.url },
  accent: accent === null ? null : accentAsset(accent),
});

export const themedAssets = ({ style, logo }: Theme): SiteAssets => ({
  ...ASSETS,
  ...(style !== '' && { style: asset('site.css', STYLE, Buffer.concat([ASSETS.style.bytes, Buffer.from(style)])) }),
  logo: logo && asset(logo.name, logo.type, logo.bytes),
});

export function serveAssets(scope: FastifyInstance, { style, logo }: SiteAssets): void {
  const own = [style, logo].filter((one) => one !== null);
  for (const asset of new Set([...Object.values(ASSETS), ...own]))
    scope.get(asset.path, (_request, reply) => sendAsset(reply, asset, FOR_EVER));
  scope.get('/assets/:name', (request, reply) => {
    const [, colour = ''] = /^\/assets\/accent-([0-9a-f]{6})-/.exec(request.url) ?? [];
    const accent = isReadable(`#${colour}`) ? accentAsset(`#${colour}`) : null;
    if (request.url === accent?.path) return sendAsset(reply, accent, FOR_EVER);
    return reply.callNotFound();
  });
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
