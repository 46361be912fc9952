/**
 * How the console is built: into dist/, named by content, each file also compressed, so that the server only hands bytes
 * over. The built files stand below /console/, because /assets and the like are places of the console itself.
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
