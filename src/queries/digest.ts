// The digests of entity tags. Two answers with one tag would be a wrong 304.
import { type BinaryLike, hash } from 'node:crypto';

/** Characters of a digest: 132 bits, so that collisions are out of reach. */
export const DIGEST_LENGTH = 22;

/** A digest of a text or of bytes: the beginning of its SHA-256, in characters that a tag may have. */
export const digestOf = (content: BinaryLike): string => hash('sha256', content, 'base64url').slice(0, DIGEST_LENGTH);
