import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { singleFlight } from '../single-flight.ts'
import { within } from '../within.ts'

/** One value; labels name kinds and never a person. */
export type Reading = { labels?: Record<string, string>; value: number }

export type Metrics = {
  /** prom-client's registry, for metrics that are counted as they happen. */
  registry: Registry
  requestSeconds: Histogram<'method' | 'route' | 'status'>
  /** Adds a gauge, read on each scrape. If not read in time it is left out, and `studio_metrics_unread_total` grows. */
  gauge(about: { name: string; help: string; labels?: string[] }, read: () => Reading[] | Promise<Reading[]>): void
  /** All metrics in Prometheus' text format; concurrent scrapes share one reading. */
  text(): Promise<string>
}

/**
 * Opens the metrics of this process, with Node's own (event loop, memory, garbage collection).
 *
 * @param options.limitMs how long reading a gauge may take
 */
export function openMetrics({ limitMs }: { limitMs: number }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Its histogram of the event loop's delay wakes the process at every interval, and counts the interval as delay.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10_000 })
  for (const figure of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']) {
    registry.removeSingleMetric(`nodejs_eventloop_lag_${figure}_seconds`)
  }
  const unread = new Counter({
    name: 'studio_metrics_unread_total',
    help: 'How often a metric could not be read and was left out',
    labelNames: ['metric'],
    registers,
  })
  const readings: (() => Promise<void>)[] = []

  let seen = performance.eventLoopUtilization()
  const metrics: Metrics = {
    registry,
    requestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of requests, until the last byte was handed over',
      labelNames: ['method', 'route', 'status'],
      // Up to the time limit of a response.
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
      registers,
    }),
    gauge({ name, help, labels = [] }, read) {
      const gauge = new Gauge({ name, help, labelNames: labels, registers })
      unread.inc({ metric: name }, 0)
      readings.push(async () => {
        const found = await within(limitMs, Promise.try(read)).catch(() => undefined)
        if (!found) unread.inc({ metric: name })
        gauge.reset()
        // A gauge without labels would still report 0.
        if (labels.length === 0) gauge.remove()
        for (const { labels: kind = {}, value } of found ?? []) gauge.set(kind, value)
      })
    },
    text: singleFlight(async () => {
      await Promise.all(readings.map((read) => read()))
      return await registry.metrics()
    }),
  }
  const help = 'Share of the time since the last scrape in which the event loop was busy'
  metrics.gauge({ name: 'nodejs_eventloop_utilization', help }, () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    return [{ value: utilization }]
  })
  return metrics
}
