// Values of settings: each reader takes a text, and refuses it with the name of the setting and what is allowed.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { resolveZone, type Zone } from '../time/zone.ts';

/** An invalid setting: which, why, and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const refuse = (name: string, value: string, must: string): never => {
  throw new ConfigError(`${name} must be ${must}, not ${JSON.stringify(value)}.`);
};

export function wholeNumber(
  name: string,
  value: string | undefined,
  { fallback, from, to }: { readonly fallback: number; readonly from: number; readonly to: number },
): number {
  if (value === undefined) return fallback;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return number >= from && number <= to ? number : refuse(name, value, `a whole number from ${from} to ${to}`);
}

export function zone(name: string, value: string): Zone {
  return (
    resolveZone(value) ?? refuse(name, value, 'an IANA time zone such as Europe/Berlin, or an offset such as +02:00')
  );
}

export function oneOf<Word extends string>(name: string, value: string, allowed: readonly Word[]): Word {
  return allowed.find((one) => one === value) ?? refuse(name, value, `one of ${allowed.join(', ')}`);
}

export function yesOrNo(name: string, value: string | undefined): boolean {
  if (value === undefined || ['0', 'false', 'no', 'off'].includes(value)) return false;
  return (
    ['1', 'true', 'yes', 'on'].includes(value) || refuse(name, value, 'one of 1, true, yes, on, 0, false, no, off')
  );
}

/** An invalid address may contain a password, so it is not repeated. */
export function refuseSecretly(name: string, must: string): never {
  throw new ConfigError(`${name} must be ${must}.`);
}

export function siteUrl(name: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && (url.username !== '' || url.password !== ''))
    return refuseSecretly(
      name,
      'an absolute http or https address without a name or password, which all links would show',
    );
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  return usable ? value.replace(/\/+$/, '') : refuse(name, value, 'an absolute http or https address without a query');
}

const PREFIX = /^[a-z0-9._~-]+(?:\/[a-z0-9._~-]+)*$/i;

function members(value: string | undefined): string[] {
  const all = (value ?? '').split(',').map((member) => member.trim());
  return all.filter(Boolean);
}

/** As in addresses: `name`, `name:port`, `[::1]:port`. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

export function hosts(name: string, value: string | undefined): ReadonlySet<string> {
  const hostNames = members(value?.toLowerCase());
  const wrong = hostNames.find((member) => !HOST.test(member));
  return wrong === undefined
    ? new Set(hostNames)
    : refuse(name, wrong, 'names of hosts such as hooks.internal or localhost:9000, joined by commas');
}

export function prefixes(name: string, value: string | undefined): string[] {
  const paths = members(value).flatMap((member) => member.replace(/^\/+|\/+$/g, '') || []);
  const wrong = paths.find((member) => !PREFIX.test(member));
  return wrong === undefined ? paths : refuse(name, wrong, 'paths such as wp-json/tribe/events/v1, joined by commas');
}

/** In the variable itself, or in the file that the one with `_FILE` names. */
export function secretIn(
  name: string,
  { said, file }: { readonly said: string | undefined; readonly file: string | undefined },
): string | undefined {
  if (file === undefined) return said;
  if (said !== undefined) throw new ConfigError(`Both ${name} and ${name}_FILE are set. Set one of them.`);
  const secret = textOf(`${name}_FILE`, path.resolve(file)).trim();
  if (secret === '') throw new ConfigError(`${name}_FILE: ${file} is empty. It must contain the secret.`);
  return secret;
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError(`${name}: ${file} cannot be read.`);
  }
}
