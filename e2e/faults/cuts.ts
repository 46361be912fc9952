/** Connections that are cut, refused, delayed, reordered and swallowed; and a receiver of webhooks that fails. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Line } from './line.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export async function cutLine(line: Line, random: Random): Promise<undefined> {
  const ways = [
    async () => line.cut(() => random.chance(0.5)),
    async () => {
      line.losesCommit = () => random.chance(0.4)
      await pause(400)
    },
    async () => {
      line.refuses = true
      line.cut()
      await pause(200 + random.below(500))
    },
    async () => {
      line.delay = 5 + random.below(40)
      await pause(500)
    },
    async () => {
      line.disorder = 20 + random.below(180)
      await pause(1000)
    },
    async () => {
      line.swallows = true
      await pause(300 + random.below(700))
      line.cut()
    },
  ]
  await random.pick(ways)()
  calm(line)
}
export const calm = (line: Line) =>
  void Object.assign(line, { delay: 0, disorder: 0, swallows: false, refuses: false, losesCommit: () => false })

/** The ways in which the receiver of webhooks fails, one after the other. */
const failures = ['error', 'hang', 'cut', 'late'] as const

export async function failReceiver({ receiver }: World, random: Random, n: number): Promise<undefined> {
  const answers = ['ok', failures[n % failures.length]!] as const
  receiver.answer = () => random.pick(answers)
  const [enough, end] = [receiver.calls + 6, performance.now() + 4000]
  await pause(500)
  while (receiver.calls < enough && performance.now() < end) await pause(20)
}
