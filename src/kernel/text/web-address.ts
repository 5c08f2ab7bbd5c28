// Addresses that may be stored: they are later shown as links.

const MAX_LENGTH = 2_048;
const WITH_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+[!-~]*$/i;
const MAILTO = /^mailto:[!-~]+@[!-~]+$/i;
const WEB = /^https?:/i;
/** Schemes that run code when a link is followed. */
const ACTIVE_SCHEME = /^(?:javascript|vbscript|data):/i;
const PRINTABLE_ASCII = /^[!-~]+$/;

/** Whether a text begins with a scheme that runs code. */
export const isActive = (text: string): boolean => ACTIVE_SCHEME.test(text.trim());

/** Whether a text is an absolute address of at most 2,048 characters that does not run code when followed. */
export const isAddress = (text: string): boolean =>
  text.length <= MAX_LENGTH &&
  PRINTABLE_ASCII.test(text) &&
  !ACTIVE_SCHEME.test(text) &&
  (MAILTO.test(text) || (WITH_HOST.test(text) && URL.canParse(text)));

/** Whether a text is an absolute http or https address. */
export const isWebAddress = (text: string): boolean => WEB.test(text) && isAddress(text);
