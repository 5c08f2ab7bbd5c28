// The client address that limits are counted by.
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { endianness } from 'node:os';
import { normalizeIP } from '@fastify/rate-limit';
import { forwardedAddresses } from '../forwarded.ts';

/** `named`: a proxy names the client in `X-Forwarded-For`; `own`: the address of the connection. */
export type AddressSource = 'named' | 'own';

/**
 * The address of the client; for IPv6 its network (/64), which one client may have to itself. In `X-Forwarded-For` only
 * the last entry that is not this machine counts: earlier ones are claims of the client.
 */
export function clientAddress({ socket, headers }: IncomingMessage, source: AddressSource): string {
  const own = socket.remoteAddress ?? '';
  const forwarded = source === 'named' ? outside(headers) : null;
  return normalised(forwarded ?? own);
}

/** A site in IPv6 is given so many bits: all its networks together. */
const SITE_BITS = 48;

/** What one may have to oneself who has the address of a client: of IPv6 the networks of a site. */
export const networkOf = (client: string): string => (isIP(client) === 6 ? normalizeIP(client, SITE_BITS) : client);

/** Whether a client of this address is on this machine. */
export const isOwnMachine = (address: string): boolean => address === '::1' || address.startsWith('127.');

/** The default gateway of this machine (IPv4), through which a container sees all clients; null if none is known. */
export function defaultGateway(): string | null {
  try {
    return gatewayIn(readFileSync('/proc/net/route', 'utf8'), endianness());
  } catch {
    return null;
  }
}

const ANYWHERE = '00000000';

/** The gateway in Linux's routing table: addresses are numbers in this machine's byte order. */
export function gatewayIn(table: string, order: 'LE' | 'BE'): string | null {
  for (const line of table.split('\n')) {
    const [, destination, gateway] = line.trim().split(/\s+/);
    if (destination !== ANYWHERE || gateway === undefined || gateway === ANYWHERE) continue;
    const bytes = Buffer.from(gateway, 'hex');
    return (order === 'LE' ? bytes.reverse() : bytes).join('.');
  }
  return null;
}

function outside(headers: IncomingHttpHeaders): string | null {
  const client = forwardedAddresses(headers).find((address) => !isOwnMachine(mapped(address)));
  return client !== undefined && isIP(client) !== 0 ? client : null;
}

const mapped = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, '');

const normalised = (address: string): string => {
  const plain = mapped(address);
  return isIP(plain) === 6 && plain !== '::1' ? normalizeIP(plain) : plain;
};
