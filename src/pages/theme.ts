// What a site has of its own on the pages for visitors: a logo, a colour, an imprint, links. One JSON file, named by
// DAYBOOK_THEME and read once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { MIN_CONTRAST, type Scheme, worstContrast } from '../calendar/site/domain/accent.ts';
import type { ThemeFile } from './theme-file.ts';

const load = createRequire(import.meta.url);

/** An invalid theme file: what is wrong, and what is allowed. */
export class ThemeError extends Error {
  override readonly name = 'ThemeError';
}

/** By the member that is wrong. */
const MUST_BE: { readonly [member: string]: string } = {
  logo: 'the name of an SVG, PNG, WebP or JPEG file beside the theme, such as "logo.svg"',
  accent: 'an object with "light" and "dark"',
  light: 'a colour such as "#8a2f1c"',
  dark: 'a colour such as "#f0a184"',
  imprint: 'an address that begins with https://, http://, mailto: or /',
  url: 'an address that begins with https://, http://, mailto: or /',
  label: 'a text of 1 to 60 characters',
  credit: 'a text of 1 to 60 characters',
  map: 'an object with "tiles" and "credit"',
  tiles: 'an address such as "https://tiles.example/{z}/{x}/{y}.png"',
  links: 'a list of at most 20 objects with "label" and "url"',
};
const MEMBERS = 'logo, accent (light, dark), imprint, links (label, url), map (tiles, credit)';

interface Logo {
  /** `logo.svg`. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Theme {
  readonly logo: Logo | null;
  /** Custom properties to add to the style of the pages; empty for the colours of its own. */
  readonly style: string;
  readonly imprint: string | null;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** Whose pictures maps are made of; null: pages link to a map, and load nothing of others. */
  readonly map: { readonly tiles: string; readonly credit: string } | null;
}

export const OWN_THEME: Theme = { logo: null, style: '', imprint: null, links: [], map: null };

/** Reads a theme file. Throws `ThemeError`. */
export function readTheme(file: string): Theme {
  const theme = checked(contentOf(file));
  const { logo, accent = {}, imprint = null, links = [], map = null } = theme;
  return {
    logo: logo === undefined ? null : readLogo(path.join(path.dirname(file), logo)),
    style: styleOf(accent),
    imprint,
    links,
    map,
  };
}

function contentOf(file: string): unknown {
  const text = bytesOf(file).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ThemeError(`${file} is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}.`);
  }
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new ThemeError(`${file} cannot be read.`);
  }
}

function checked(content: unknown): ThemeFile {
  // Every command reads the configuration, and hardly any a theme: validating takes 300 modules.
  const { errorsOf } = load('./theme-file.ts') as typeof import('./theme-file.ts');
  // For an unknown member only the error that names its place helps.
  const [wrong] = errorsOf(content).filter(({ keyword }) => keyword !== 'additionalProperties');
  if (!wrong) return content as ThemeFile; // Nothing is wrong.
  const { keyword, instancePath, message } = wrong;
  const place = instancePath === '' ? 'The theme' : `${instancePath.slice(1).replaceAll('/', '.')}`;
  const member = instancePath.split('/').at(-1) ?? '';
  if (keyword === 'boolean') throw new ThemeError(`${place} is not a member of a theme. The members are ${MEMBERS}.`);
  throw new ThemeError(`${place} ${message}: it must be ${MUST_BE[member] ?? `an object with ${MEMBERS}`}.`);
}

const MAX_LOGO_BYTES = 200_000;
const TYPES: { readonly [ending: string]: string } = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

function readLogo(file: string): Logo {
  const bytes = bytesOf(file);
  if (bytes.length > MAX_LOGO_BYTES)
    throw new ThemeError(`${file} has ${bytes.length} bytes; at most ${MAX_LOGO_BYTES} are allowed.`);
  const ending = path.extname(file);
  return { name: `logo${ending}`, type: TYPES[ending] ?? 'application/octet-stream', bytes };
}

function styleOf({ light, dark }: NonNullable<ThemeFile['accent']>): string {
  return accentStyle({
    ...(light !== undefined && { light: readable('light', light) }),
    ...(dark !== undefined && { dark: readable('dark', dark) }),
  });
}

/** Sets the colour of links and buttons for one scheme or both. */
export function accentStyle({ light, dark }: { readonly [Name in Scheme]?: string }): string {
  const rules = [
    light === undefined ? '' : `@media not (prefers-color-scheme: dark){:root{--accent:${light}}}\n`,
    dark === undefined ? '' : `@media (prefers-color-scheme: dark){:root{--accent:${dark}}}\n`,
  ];
  return rules.join('');
}

function readable(scheme: Scheme, colour: string): string {
  const least = worstContrast(scheme, colour);
  if (least >= MIN_CONTRAST) return colour;
  const hint = scheme === 'light' ? 'a darker one' : 'a lighter one';
  throw new ThemeError(
    `accent.${scheme} ${colour} has a contrast of ${least.toFixed(1)}:1 with the background. It must be at least ${MIN_CONTRAST}:1; try ${hint}.`,
  );
}
