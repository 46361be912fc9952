/**
 * Ends a test run with one line, `N passed, N failed, N skipped`, for people and programs that read only the end. On the
 * way it prints the elapsed time once a minute, so that the end of a run that was cut off tells how long it took. The files
 * that failed are listed in the file that KONTOR_FAILED_FILES names, for the repetition in test.ts.
 */
import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export default class PlainReporter implements Reporter {
  private readonly began = Date.now()
  private minutes = 0

  onTestModuleEnd(): void {
    const minutes = Math.floor((Date.now() - this.began) / 60_000)
    if (minutes > this.minutes) console.log(`${minutes} min`)
    this.minutes = minutes
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++
      if (module.errors().length > 0) count.failed++
    }
    const list = process.env.KONTOR_FAILED_FILES
    // An error outside of the tests has no file: repeating the failed ones would hide it.
    if (list !== undefined && errors.length === 0) {
      const failed = modules.filter((module) => module.state() === 'failed')
      writeFileSync(list, failed.map(({ relativeModuleId }) => relativeModuleId).join('\n'))
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  }
}
