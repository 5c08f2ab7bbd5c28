// What browsers are told to do with answers: taken from Helmet once, not asked for at every request.
import fastifyHelmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import fastify from 'fastify';
import { type HeaderLines, linesOf } from './headers.ts';

/** How the public reaches the service. `https`: by nothing else, and browsers may remember it. */
export type PublicScheme = 'http' | 'https';

/** Seconds: a year. Names below this one are none of our business. */
const HSTS = { maxAge: 31_536_000, includeSubDomains: false } as const;

/**
 * For answers that are data. Left out is what only concerns pages (opener, agent cluster, DNS prefetch), or programs that
 * are gone (downloads of Internet Explorer, Flash, filters for scripts), and framing a second time. `nosniff` stands
 * among the common headers already. Addresses may hold a password, so nothing is sent on as a referrer.
 */
function dataPolicy(scheme: PublicScheme): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: scheme === 'https' ? HSTS : false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xContentTypeOptions: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  };
}

/**
 * For a page that we serve ourselves with its scripts and styles beside it: to be registered with `@fastify/helmet` in the
 * page's own plugin. Scripts come from here alone; styles may stand in the page, as generated pages have them. Its
 * requests go to this origin, and images may be part of it.
 */
export function pagePolicy(scheme: PublicScheme): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: scheme === 'https' ? HSTS : false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  };
}

export const schemeOf = (siteUrl: string | null): PublicScheme => (siteUrl?.startsWith('https:') ? 'https' : 'http');

const known = new Map<PublicScheme, Promise<HeaderLines>>();

/** The lines of `dataPolicy`, as Helmet writes them. */
export function securityLines(scheme: PublicScheme): Promise<HeaderLines> {
  const before = known.get(scheme);
  if (before) return before;
  const asked = askHelmet(dataPolicy(scheme));
  known.set(scheme, asked);
  return asked;
}

/** Asks an application that does nothing else. Its answer differs from one without Helmet by what Helmet says. */
async function askHelmet(policy: FastifyHelmetOptions): Promise<HeaderLines> {
  const app = fastify();
  await app.register(fastifyHelmet, policy);
  app.get('/', async (_request, reply) => reply.send());
  const { headers } = await app.inject({ url: '/' });
  await app.close();
  const said = Object.entries(headers).filter(([name]) => !OWN_OF_HTTP.has(name));
  return linesOf(Object.fromEntries(said.map(([name, value]) => [spelt(name), String(value)])));
}

const OWN_OF_HTTP: ReadonlySet<string> = new Set([
  'date',
  'connection',
  'content-length',
  'content-type',
  'keep-alive',
]);

/** `referrer-policy` → `Referrer-Policy` */
const spelt = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
