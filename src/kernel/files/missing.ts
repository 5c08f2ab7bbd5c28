// Errors of the file system, told apart from faults of ours.

export const isOfSystem = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error;

/** For `catch`: null for a file or folder that is not there; throws other errors again. */
export function missing(error: unknown): null {
  if (isOfSystem(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
  throw error;
}
