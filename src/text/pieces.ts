// Long texts in pieces. What another thread has read stays bytes (UTF-8) until it is sent: decoding and encoding a megabyte
// holds the event loop, and leaves megabytes of garbage.
import { Buffer } from 'node:buffer';

export type Piece = string | Uint8Array;

/** The same bytes with the methods of a buffer. */
export const bytesOf = (piece: Uint8Array): Buffer => Buffer.from(piece.buffer, piece.byteOffset, piece.length);

export const textOf = (piece: Piece): string => (typeof piece === 'string' ? piece : bytesOf(piece).toString());

/** Pieces as one text. */
export const joinedText = (pieces: readonly Piece[]): string => pieces.map(textOf).join('');

/** Pieces as a body: bytes if one of them is. */
export const joinedBody = (pieces: readonly Piece[]): string | Buffer =>
  pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
