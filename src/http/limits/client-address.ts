// From where a request comes: the address that limits are counted by.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';

/** `named`: a proxy in front says in `X-Forwarded-For` who asked it; `own`: the connection tells. */
export type AddressSource = 'named' | 'own';

/**
 * The address of the client, one for each network that an IPv6 client may have to itself (/64). Of what a proxy says
 * only the last entry that is not this machine counts: those before it are what the client said.
 */
export function clientAddress({ socket, headers }: IncomingMessage, source: AddressSource): string {
  const own = socket.remoteAddress ?? '';
  const said = source === 'named' ? lastNamed(headers['x-forwarded-for']) : null;
  return normalised(said ?? own);
}

/** Whether a client of this address sits on this machine. */
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
