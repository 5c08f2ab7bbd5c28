// Security headers: of answers for data, and of pages.
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { HeaderSet } from '../answers/headers.ts';
import { concernsApi } from './request-context.ts';

/** How the public reaches the service. `https`: only encrypted, and browsers may remember that. */
export type PublicScheme = 'http' | 'https';

/** Seconds: a year. Subdomains are none of our business. */
const HSTS = { maxAge: 31_536_000, includeSubDomains: false } as const;

/** The policies of answers for data: nothing is loaded into them, and none is shown in a frame. */
const policiesOf = (scheme: PublicScheme): HeaderSet => ({
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  ...(scheme === 'https' && { 'strict-transport-security': `max-age=${HSTS.maxAge}` }),
});

/**
 * For a page of ours with its scripts and styles: register it with `@fastify/helmet` in the page's own plugin. Scripts
 * come from here alone; inline styles are allowed, as generated pages have them. Its requests go to this origin, and
 * images may be part of it.
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

declare module 'fastify' {
  interface FastifyInstance {
    /** The policies of an answer for data. */
    readonly policies: HeaderSet;
  }
}

/**
 * The same on all answers for data. Those of the API take them with their other headers (plugins/answers.ts): Node writes headers that
 * come from two places one by one.
 */
export const securityHeaders = fp(async (app: FastifyInstance, { scheme }: { readonly scheme: PublicScheme }) => {
  const policies = policiesOf(scheme);
  app.decorate('policies', policies);
  app.addHook('onRequest', (request, { raw }, done) => {
    if (!concernsApi(request)) for (const [name, value] of Object.entries(policies)) raw.setHeader(name, value);
    done();
  });
});
