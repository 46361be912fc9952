/**
 * The commands for the server's own machine. They belong to the package of the server, because they must have its version;
 * a machine that only talks to servers need not have it.
 */
type LocalCommands = (typeof import('@kontor/server/admin'))['commands']

/** They import half of the server, so they are loaded only when needed. Undefined if the server is not installed here. */
export const loadLocalCommands = (): Promise<LocalCommands | undefined> =>
  unlessMissing(async () => (await import('@kontor/server/admin')).commands)

/** The path of the Node that can run the commands of the server; the running one if the server is not installed here. */
export const localNode = async (): Promise<string> =>
  (await unlessMissing(async () => (await import('@kontor/server/node')).nodeProgram())) ?? process.execPath

async function unlessMissing<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'@kontor/server'")) return undefined
    throw error
  }
}
