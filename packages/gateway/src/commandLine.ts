// The command line: the commands, their options and the texts of --help.

import { commit, version } from '@callgate/world/version'
import { Command } from 'commander'
import { usualFile } from './config.ts'
import type { EnrolOptions } from './enrol/enrolCommand.ts'
import type { FirstBootOptions } from './enrol/firstBoot.ts'
import type { ReportOptions } from './report/reportCommand.ts'
import { type UpdateOptions, usualPackage, usualStore } from './update/updateCommand.ts'

export interface DoctorOptions {
  readonly config: string
  readonly fix?: boolean
  readonly json?: boolean
  readonly quick?: boolean
}

export interface RunOptions {
  readonly config?: string
  readonly offers?: string
  readonly package: string
}

/** What each command does. */
export interface Actions {
  run(options: RunOptions): Promise<void>
  enrol(code: string | undefined, options: EnrolOptions): Promise<void>
  bootFirst(options: FirstBootOptions): Promise<void>
  keygen(options: { out: string; json?: boolean }): Promise<void>
  doctor(options: DoctorOptions): Promise<void>
  call(options: { config: string }): Promise<void>
  modem(options: { config: string }): Promise<void>
  report(options: ReportOptions): Promise<void>
  update(file: string | undefined, options: UpdateOptions): Promise<void>
}

const usualSaid = '/run/callgate-gateway-network/said.txt'
const usualDataFolder = '/var/lib/callgate-gateway'
const packageOption = ['--package <path>', 'where the package is installed', usualPackage] as const
const configOption = ['--config <file>', 'where the configuration is', usualFile] as const

/**
 * The program without its commands. Its option `--version` prints the version alone, because a program that updates to this one
 * compares that whole. The commit goes to the error output.
 */
function newProgram(): Command {
  const program = new Command('callgate-gateway')
  program.on('option:version', () => program.configureOutput().writeErr?.(`commit ${commit}\n`))
  return program
    .description('The gateway daemon: calls gates through the modem when the cloud allows it.')
    .version(version)
    .addHelpText(
      'after',
      `
Configuration: a YAML file with gatewayId, mqttUrl, mqttPassword, cloudKeys, privateKeyFile, serialPort, dataFolder and,
optionally, baudRate, simPin, modemHooks, wireTrace, logLevel, ca, allowPlainMqtt, cloudUrl.
Exit codes: 0 stopped; 1 bad configuration; 2 cannot start (another daemon runs, or the journal cannot be read);
3 the cloud refuses this gateway (started elsewhere, or revoked); 4 the cloud has forgotten this start: start again;
5 doctor has found a fault, or a test call failed; 6 no update was installed; 70 a bug.`,
    )
}

/** The commands for systemd and for the first set-up of a gateway. */
function addServing(program: Command, actions: Actions): void {
  program
    .command('run', { isDefault: true })
    .description('serve until stopped by SIGTERM or SIGINT')
    .option(...configOption)
    .option(
      '--offers <path>',
      'for systemd: take updates that the cloud asks for, where callgate-gateway-offer.path looks for them',
    )
    .option(...packageOption)
    .action(actions.run)
  program
    .command('enrol')
    .description('enrol this gateway with a one-time code, and write its configuration')
    .argument('[code]', 'the code, or the link of its QR code; without it, what was begun before goes on')
    .option('--cloud <url>', 'where the cloud is, such as https://gates.example.com')
    .option(
      '--cloud-key <key>',
      'the key of the cloud that came with the code: no other cloud is taken for it',
    )
    .option(...configOption)
    .option('--ca <file>', "PEM of the authority that signed the cloud's certificate")
    .option('--serial-port <path>', 'for the configuration: the port of the modem', '/dev/serial0')
    .option('--data-folder <path>', 'for the configuration: where the journal is kept', usualDataFolder)
    .option('--show-at <paths...>', 'show the fingerprint also on these consoles or in these files')
    .option('--allow-plain-mqtt', 'take a broker without encryption')
    .option('--again', 'replace the configuration of a gateway that was enrolled before')
    .action(actions.enrol)
  program
    .command('first-boot')
    .description('enrol this gateway with the code of callgate-gateway.yaml on the boot partition')
    .option('--folder <path>', 'where the boot partition is mounted', '/boot/firmware')
    .option('--console <path>', 'show the fingerprint also there', '/dev/tty1')
    .option('--network', 'set up the Wi-Fi and the address of the file, as root, and nothing else')
    .option('--said <file>', 'where --network writes what it has done, which is shown again later', usualSaid)
    .option(...configOption)
    .option('--data-folder <path>', 'for the configuration: where the journal is kept', usualDataFolder)
    .action(actions.bootFirst)
  program
    .command('keygen')
    .description("make the gateway's key pair and print the public half")
    .requiredOption('--out <file>', 'where to write the private key; must not exist')
    .option('--json', 'print one object')
    .action(actions.keygen)
}

/** The commands that an installer types at a gateway that is set up. */
function addTools(program: Command, actions: Actions): void {
  program
    .command('doctor')
    .description('look at everything that a gateway needs, and say what to do')
    .option(...configOption)
    .option('--quick', 'look only at the configuration and at this machine, within a second')
    .option(
      '--fix',
      'also mend what is safe: the rights of its own files, files left over from an earlier run',
    )
    .option('--json', 'print one object')
    .addHelpText(
      'after',
      `
While the daemon runs, doctor asks it and leaves the modem alone. While it does not, doctor asks the modem, without a PIN or a
call, and logs in at the broker. Exit code 0: nothing is wrong, though something may be worth a look; 1: the configuration
cannot be read; 5: something is wrong.`,
    )
    .action(actions.doctor)
  program
    .command('call')
    .description('show the next opening of this gateway as it happens, in words')
    .option(...configOption)
    .addHelpText(
      'after',
      `
It calls nothing by itself: press "Test call" at the gate on the dashboard, or open the gate by a link. It needs the daemon to
run, and no key or password. Exit code 0: the call went as the gate's profile asks; 2: the daemon cannot be asked; 5: the
opening failed, or none came within 10 minutes.`,
    )
    .action(actions.call)
  program
    .command('modem')
    .description('ask the modem by hand, and see what it says unasked')
    .option(...configOption)
    .addHelpText(
      'after',
      `
It sends questions of a closed list, which help shows, and nothing that calls, answers, sends or changes. While the daemon
runs, it asks through the daemon, which refuses while an opening or a task of the cloud has the modem; else it opens the port
itself.`,
    )
    .action(actions.modem)
  program
    .command('update')
    .description('install a signed release of the daemon, and take it back when it does not work')
    .argument('[file]', 'the release; without it, the newest one that the cloud offers')
    .option('--cloud <url>', 'where the cloud is, such as https://gates.example.com')
    .option('--ca <file>', "PEM of the authority that signed the cloud's certificate")
    .option('--before-start', 'for systemd: count the starts of a version that is on trial')
    .option('--carry-on', 'for systemd: go on with a trial after a power cut')
    .option('--offered', 'for systemd: install what the cloud has asked the daemon for')
    .option('--data-folder <path>', 'where the daemon has its socket', usualDataFolder)
    .option(...packageOption)
    .option('--store <path>', 'where the versions are kept', usualStore)
    .option('--on-overlay', 'also where the versions are forgotten when the machine is switched off')
    .action(actions.update)
}

function addReport(program: Command, actions: Actions): void {
  program
    .command('report')
    .description(
      'write one file for whoever helps: the last calls as the modem told them, doctor, log; numbers masked',
    )
    .option(...configOption)
    .option('--out <file>', 'a file that does not exist; without it, a new one in this folder')
    .option('--yes', 'you agree: ask nothing')
    .addHelpText(
      'after',
      `
It says what goes in and what is masked, and asks before it writes. It sends nothing anywhere. The calls are those since the
daemon started, so let it run. Exit code 0: written, or you have said no; 2: it cannot be written, or nobody can be asked.`,
    )
    .action(actions.report)
}

export function commandLine(actions: Actions): Command {
  const program = newProgram()
  addServing(program, actions)
  addTools(program, actions)
  addReport(program, actions)
  return program
}
