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
  plugins: [react(), compress(join(import.meta.dirname, 'dist'))],
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
