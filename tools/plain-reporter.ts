/**
 * Ends a test run with the tests that passed only when repeated, and one line, `N passed, N failed, N skipped`, for
 * people and programs that read only the end. On the way it prints the elapsed time once a minute, so that the end of a
 * run that was cut off tells how long it took.
 */
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
      for (const test of module.children.allTests()) {
        count[test.result().state]++
        if (test.diagnostic()?.flaky) console.log(`failed at first, passed when repeated: ${test.fullName}`)
      }
      if (module.errors().length > 0) count.failed++
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  }
}
