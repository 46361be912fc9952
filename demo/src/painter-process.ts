/** The process that renders drawings as JPEGs for painter.ts, until painter.ts disconnects. */
import sharp from 'sharp'
import type { Painted } from './painter.ts'

process.on('message', ({ number, svg }: { number: number; svg: string }) => {
  const answer = (painted: Painted) => process.send!(painted)
  sharp(Buffer.from(svg))
    .jpeg({ quality: 82 })
    .toBuffer()
    .then(
      (jpeg) => answer({ number, jpeg }),
      (error: Error) => answer({ number, problem: error.message }),
    )
})
process.on('disconnect', () => process.exit())
