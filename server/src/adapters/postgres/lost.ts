/** Whether the driver of the database lost its connection, or got none. It has no codes for that. */
const isLostConnection = ({ message }: Error): boolean =>
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
    message,
  )

/** The database is down, starting, stopping or full, or all connections were busy for too long. */
export function isUnreachable(error: Error & { code?: string; syscall?: string }): boolean {
  const { code = '', syscall } = error
  return (
    syscall === 'connect' ||
    // A host with several addresses has no syscall in its error.
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03'].includes(code) ||
    ['08', '53'].includes(/^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : '') ||
    isLostConnection(error)
  )
}
