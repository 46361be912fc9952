import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'
import { startOf } from './processes.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-lock-'))
  return () => rmSync(folder, { recursive: true })
})
const leave = (number: number, owner: object) => writeFileSync(join(folder, `lock-${number}`), JSON.stringify(owner))

test('a folder has one owner at a time', () => {
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`The data folder ${folder} is in use by process ${process.pid}`)
  unlock()
  lockFolder(folder)()
})

test('the lock of an ended process is taken over and leaves no files behind', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  leave(6, { pid, start: '1' })
  leave(7, { pid, start: '1' })
  lockFolder(folder)
  expect(readdirSync(folder)).toEqual(['lock-8'])
})

test('a running process with the same pid but another start time is not the owner', () => {
  leave(1, { pid: process.ppid, start: `${startOf(process.ppid)}` })
  expect(() => lockFolder(folder)).toThrow(`process ${process.ppid}`)
  leave(1, { pid: process.ppid, start: '1' })
  lockFolder(folder)
})

test('of many processes that find a dead owner at once, one gets the folder', async () => {
  leave(1, { pid: 999_999_999, start: '1' })
  const module = JSON.stringify(new URL('./folder-lock.ts', import.meta.url))
  const code = `
    const { lockFolder } = await import(${module})
    process.stdin.once('data', () => {
      try { lockFolder(process.argv[1]); console.log('got it') } catch (error) { console.log(error.message) }
      process.stdin.once('data', () => process.exit())
    })
    console.error('ready')`
  const racers = Array.from({ length: 6 }, () => spawn(process.execPath, ['--input-type=module', '-e', code, folder]))
  const outputs = racers.map(({ stdout }) => text(stdout))
  await Promise.all(racers.map(({ stderr }) => new Promise((resolve) => stderr.once('data', resolve))))
  for (const { stdin } of racers) stdin.write('go')
  await Promise.all(racers.map(({ stdout }) => new Promise((resolve) => stdout.once('data', resolve))))
  for (const { stdin } of racers) stdin.write('end')
  const lines = await Promise.all(outputs)
  expect(lines.filter((line) => line === 'got it\n')).toHaveLength(1)
  expect(lines.filter((line) => line.includes('is in use by process'))).toHaveLength(5)
})
