/**
 * Builds the console into dist/. File names contain a hash of their content, and each file is also stored compressed,
 * so that the server only sends bytes. The files are below /console/, because /assets and others are URLs of the
 * console's pages.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), withoutDescriptions(), withoutXml(), compress(join(import.meta.dirname, 'dist'))],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'console',
    target: 'es2023',
    manifest: 'manifest.json',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
})

/**
 * Removes the sentences that describe the interface from the modules of the contract. The console reads types and
 * endpoints from them; the descriptions are for OpenAPI, which the server makes, and would be a tenth of the first load.
 */
function withoutDescriptions(): Plugin {
  return {
    name: 'without-descriptions',
    transform: {
      filter: { id: /contract\/src\/(schema|endpoints)\/[^/]*\.ts$/ },
      order: 'post',
      handler(code) {
        let shorter = code
        for (const { start, end } of sentencesIn(this.parse(code)).toReversed())
          shorter = `${shorter.slice(0, start)}''${shorter.slice(end)}`
        return { code: shorter, map: null }
      },
    },
  }
}

/** The console speaks JSON: the codec of XML, a tenth of the contract, is left out. */
function withoutXml(): Plugin {
  return {
    name: 'without-xml',
    load: {
      filter: { id: /contract\/src\/codec\/(from|to)-xml\.ts$/ },
      handler: () => `const refuse = () => { throw new Error('the console does not read or write XML') }
        export { refuse as xmlReader, refuse as xmlWriter }`,
    },
  }
}

interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value?: unknown
}
const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null && 'type' in value

/** In the order of the text. */
function sentencesIn(node: object): SyntaxNode[] {
  if (isNode(node) && node.type === 'Literal')
    return typeof node.value === 'string' && /\s.*\.$/s.test(node.value) ? [node] : []
  return Object.values(node).flatMap((value) => (typeof value === 'object' && value !== null ? sentencesIn(value) : []))
}

function compress(folder: string): Plugin {
  return {
    name: 'compress',
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const file = join(folder, name)
        if (!/\.(js|css|svg|html)$/.test(name) || !statSync(file).isFile()) continue
        const bytes = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }))
      }
    },
  }
}
