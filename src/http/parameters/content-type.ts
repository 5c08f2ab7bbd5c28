// What a body is, as HTTP says it: names in any case, parameters in any order, values in quotes or without.
import { MIMEType } from 'node:util';

interface ContentType {
  /** In lower case, without parameters: `multipart/form-data`. */
  readonly essence: string;
  /** The value of a parameter; null: there is none. */
  parameter(name: string): string | null;
}

export const FORM = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';

const NONE: ContentType = { essence: '', parameter: () => null };

/** Reads the header; one that is missing or cannot be read names no type. */
export function contentTypeIn(header: string | undefined): ContentType {
  if (header === undefined) return NONE;
  try {
    const { essence, params } = new MIMEType(header);
    return { essence, parameter: (name) => params.get(name) };
  } catch {
    return NONE;
  }
}
