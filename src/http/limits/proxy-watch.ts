// Detects an untrusted hop in front of the service, a proxy or the gateway of a container: then all clients behind it
// share one address and are counted as one.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { endianness } from 'node:os';
import { SITE_HEADERS } from '../forwarded.ts';
import { clientAddress, isOwnMachine } from './client-address.ts';

export interface ProxyWatch {
  /** Examines a request while no proxy is trusted. */
  look(request: IncomingMessage): void;
  /** Whether many clients may share this address. */
  isShared(address: string): boolean;
}

export interface ProxyWatchOptions {
  /** The address through which others reach this machine, if it has one. */
  readonly gateway: string | null;
  /** Called once, with what was detected and what to do. */
  readonly report: (why: string) => void;
}

const FORWARDED = ['x-forwarded-for', 'forwarded', ...SITE_HEADERS, 'x-real-ip'] as const;

const GUIDE = 'docs/operations/deploy.md#behind-a-proxy';

export function watchForProxy({ gateway, report }: ProxyWatchOptions): ProxyWatch {
  let isReported = false;

  function note(why: string): void {
    isReported = true;
    report(why);
  }

  return {
    look(request) {
      if (isReported) return;
      const header = FORWARDED.find((name) => request.headers[name] !== undefined);
      const peer = clientAddress(request, 'own');
      if (header !== undefined) return note(untrusted(peer, header));
      if (peer === gateway) note(unnamed(peer));
    },
    isShared: (address) => address === gateway || isOwnMachine(address),
  };
}

const untrusted = (peer: string, header: string): string =>
  `A request from ${peer} carries ${header}, but no proxy is trusted: all its clients count as one. ` +
  `If it is your proxy, set DAYBOOK_TRUST_PROXY=1; see ${GUIDE}.`;

const unnamed = (peer: string): string =>
  `Requests come from ${peer}, the gateway of this machine: all clients behind it look like one, and their number of ` +
  `requests is not limited. Let a proxy name them and set DAYBOOK_TRUST_PROXY=1; see ${GUIDE}.`;

/** The default gateway of this machine (IPv4); null if there is none, or it is unknown. */
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
