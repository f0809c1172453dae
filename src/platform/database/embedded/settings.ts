/**
 * The server's settings, written at every start so that a newer version of the site brings its own.
 *
 * @param forTests data may be lost there, and many studios share one server
 */
export function settingsFor(port: number, forTests: boolean): string {
  const durable = forTests ? 'off' : 'on'
  return `# Written by the site at every start; changes here are lost.
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
password_encryption = 'scram-sha-256'

# One small studio on one small machine.
max_connections = ${forTests ? 400 : 100}
shared_buffers = '64MB'
work_mem = '8MB'
maintenance_work_mem = '64MB'
jit = off

timezone = 'UTC'
log_timezone = 'UTC'
datestyle = 'ISO, YMD'

fsync = ${durable}
synchronous_commit = ${durable}
full_page_writes = ${durable}

# Failed statements and the rows in them are people's data: the log says that something failed, not on what.
log_error_verbosity = terse
log_min_error_statement = panic
log_parameter_max_length_on_error = 0
log_checkpoints = off
log_autovacuum_min_duration = -1
`
}
