// In which language a client wants to be answered.
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Language } from './language.ts';
import { LANGUAGE_CODES, languageNamed } from './languages.ts';

export interface Negotiation {
  /** What `Accept-Language` prefers among the languages that there are; the configured one where it names none of them. */
  preferred(acceptLanguage: string | undefined): Language;
  /**
   * What `_locale` names: `de`, also as `de-AT` or `de_AT`. Undefined when it says nothing (absent, empty, or `user`: as the
   * reader prefers), null when there is no such language.
   */
  demanded(locale: unknown): Language | undefined | null;
}

/** Clients choose their headers, so only so many are cached, and only such as browsers send. */
const MAX_HEADERS = 500;
const MAX_HEADER_LENGTH = 500;

const LOCALE = /^([a-z]{2,3})(?:[-_][a-z0-9_-]*)?$/i;

export function openNegotiation(configured: Language): Negotiation {
  // Of those that are preferred equally, the first is taken.
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
