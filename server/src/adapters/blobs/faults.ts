const diskFaults = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOTDIR', 'EACCES']

type Fault = Error & { readonly code?: string; readonly $metadata?: { readonly httpStatusCode?: number } }

/** The disk is full, broken or read-only, there are no file descriptors left, or the S3 server is away. */
export function isStoreFault(error: Error): boolean {
  const { code = '', $metadata } = error as Fault
  // Errors of the S3 client have metadata, and without an answer no status in it.
  return diskFaults.includes(code) || ($metadata !== undefined && ($metadata.httpStatusCode ?? 500) >= 500)
}
