// Chooses the language of an answer.
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Language } from './language.ts';
import { LANGUAGE_CODES, languageNamed } from './languages.ts';

export interface Negotiation {
  /** The preferred available language in `Accept-Language`; the configured one if it names none. */
  preferred(acceptLanguage: string | undefined): Language;
  /**
   * The language that `_locale` names: `de`, also as `de-AT` or `de_AT`. Undefined without a wish (absent, empty, or
   * `user`: as the reader prefers), null for an unavailable one.
   */
  demanded(locale: unknown): Language | undefined | null;
}

/** Clients choose their headers, so the cache is bounded, and holds only such as browsers send. */
const MAX_HEADERS = 500;
const MAX_HEADER_LENGTH = 500;

const LOCALE = /^([a-z]{2,3})(?:[-_][a-z0-9_-]*)?$/i;

export function openNegotiation(configured: Language): Negotiation {
  // Of equal preferences, the first counts.
  const codes = [configured.code, ...LANGUAGE_CODES.filter((code) => code !== configured.code)];
  const negotiated = new LRUCache<string, Language>({
    max: MAX_HEADERS,
    memoMethod(acceptLanguage) {
      const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
      return languageNamed(negotiator.language(codes) ?? '') ?? configured;
    },
  });

  return {
    preferred(acceptLanguage = '') {
      if (acceptLanguage === '' || acceptLanguage.length > MAX_HEADER_LENGTH) return configured;
      return negotiated.memo(acceptLanguage);
    },
    demanded(locale) {
      if (locale === undefined || locale === '' || locale === 'user') return undefined;
      const code = typeof locale === 'string' ? LOCALE.exec(locale)?.[1] : undefined;
      return (code && languageNamed(code.toLowerCase())) || null;
    },
  };
}
