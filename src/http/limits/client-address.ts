// The client address that limits are counted by.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';

/** `named`: a proxy names the client in `X-Forwarded-For`; `own`: the address of the connection. */
export type AddressSource = 'named' | 'own';

/**
 * The address of the client; for IPv6 its network (/64), which one client may have to itself. In `X-Forwarded-For` only
 * the last entry that is not this machine counts: earlier ones are claims of the client.
 */
export function clientAddress({ socket, headers }: IncomingMessage, source: AddressSource): string {
  const own = socket.remoteAddress ?? '';
  const forwarded = source === 'named' ? lastNamed(headers['x-forwarded-for']) : null;
  return normalised(forwarded ?? own);
}

/** Whether a client of this address is on this machine. */
export const isOwnMachine = (address: string): boolean => address === '::1' || address.startsWith('127.');

function lastNamed(header: string | string[] | undefined): string | null {
  const text = Array.isArray(header) ? header.join() : header;
  if (text === undefined || text.length > MAX_CHAIN_LENGTH) return null;
  const named = text.split(',').map(bare).reverse();
  const outside = named.find((address) => !isOwnMachine(mapped(address)));
  return outside !== undefined && isIP(outside) !== 0 ? outside : null;
}

const MAX_CHAIN_LENGTH = 2_000;

/** Without blanks, brackets and port. */
function bare(entry: string): string {
  const text = entry.trim();
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

const mapped = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, '');

const normalised = (address: string): string => {
  const plain = mapped(address);
  return isIP(plain) === 6 && plain !== '::1' ? normalizeIP(plain) : plain;
};
