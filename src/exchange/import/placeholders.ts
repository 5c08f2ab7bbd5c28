// What large calendars write where there is nothing to be written: names and addresses of no person or house.

const ADDRESSES = [
  /^(?:unknown|unknownorganizer|no-?body|no-?one|none)@/i,
  /^(?:no|do-?not|donot)[._-]?reply(?:[._+-][^@]*)?@/i,
  /^(?:mailer-daemon|postmaster|bounces?|notifications?|imceaex-[^@]*)@/i,
  /@(?:[^@]+\.)?calendar\.google\.com$/i,
  /@(?:[^@]+\.)?facebookmail\.com$/i,
  /@(?:[^@]+\.)?(?:invalid|localhost)$/i,
];
const NAMES =
  /^(?:invalid:?\s*nomail|no[ -]?e?mail|unknown(?: ?organi[sz]er)?|no[ -]?one|nobody|none|null|undefined|n\/a|no name|\(no name\)|[-–—?.]+)$/i;

/** Whether an address is that of a machine or a placeholder: what is sent to it is read by no person. */
const isOfMachine = (address: string): boolean => ADDRESSES.some((form) => form.test(address.trim()));

/** A name that names; empty for a placeholder. */
export const realName = (name: string): string => (NAMES.test(name.trim()) || isOfMachine(name) ? '' : name);

/** An address that is read; empty for a placeholder. */
export const realAddress = (address: string): string => (isOfMachine(address) ? '' : address);
