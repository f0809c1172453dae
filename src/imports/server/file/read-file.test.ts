import { describe, expect, test } from 'vitest'
import type { Field } from '../../rules.ts'
import { type Corrections, readFile } from './read-file.ts'

const fieldsOf = (csv: string, corrections: Corrections = {}) =>
  Object.fromEntries(
    readFile(csv, corrections).columns.flatMap(({ heading, takenFor }) => (takenFor ? [[takenFor, heading]] : [])),
  )
const cellsOf = (csv: string, ...fields: Field[]) =>
  readFile(csv).rows.map(({ line, cells }) => [line, ...fields.map((field) => cells[field])])

describe('the text', () => {
  const HEAD = 'First name,Last name,Email'

  test.each([
    ['headings that end otherwise than the rows', `${HEAD}\r\nNell,Ashby,n@old.example\nOona,Burr,o@old.example\n`],
    ['rows that end otherwise than the headings', `${HEAD}\nNell,Ashby,n@old.example\r\nOona,Burr,o@old.example\r\n`],
    ['old line ends of a Mac', `${HEAD}\rNell,Ashby,n@old.example\rOona,Burr,o@old.example`],
    ['two byte order marks', `\ufeff\ufeff${HEAD}\nNell,Ashby,n@old.example\nOona,Burr,o@old.example`],
    [
      'invisible and no-break characters',
      `First\u00a0name,Last name,\u200bEmail\n\u202aNell\u202c,Ashby\u00a0,\u200bn@old.example\nOona,Burr,o@old.example`,
    ],
    ['tabs', `${HEAD}\nNell,Ashby,n@old.example\nOona,Burr,o@old.example`.replaceAll(',', '\t')],
    ['blanks around quoted cells', `${HEAD}\n"Nell" , "Ashby","n@old.example"\nOona,Burr,o@old.example`],
  ])('is read with %s', (_, csv) => {
    expect(cellsOf(csv, 'firstName', 'lastName', 'email')).toEqual([
      [2, 'Nell', 'Ashby', 'n@old.example'],
      [3, 'Oona', 'Burr', 'o@old.example'],
    ])
  })

  test('has a separator that its first line names', () => {
    const csv = 'sep=;\r\nName;Email;Notes\r\nNell Ashby;n@old.example;a, b, c'
    expect(cellsOf(csv, 'name', 'email')).toEqual([[3, 'Nell Ashby', 'n@old.example']])
  })

  test('keeps the lines of the file, also after a cell with several', () => {
    const csv = `${HEAD},Notes\n\nNell,Ashby,n@old.example,"one\ntwo"\n,,,\nOona,Burr,o@old.example,`
    expect(cellsOf(csv, 'firstName')).toEqual([
      [3, 'Nell'],
      [6, 'Oona'],
    ])
  })

  test('is parsed strictly first: quotation marks may belong to a cell', () => {
    const csv = `${HEAD},Tags\nNell,Ashby,n@old.example,"""VIP"",""Blog"""\n"""Oona""",Burr,o@old.example,`
    expect(readFile(csv).rows).toMatchObject([{ cells: { firstName: 'Nell' } }, { cells: { firstName: '"Oona"' } }])
    expect(readFile(csv).rows.map(({ wrong }) => wrong)).toEqual([undefined, undefined])
  })

  test('is guessed line by line if quotation marks are wrong, which counts only in columns that are used', () => {
    const csv = [
      `${HEAD},Phone,Notes`,
      'Nell,Ashby,n@old.example,01632 960130,5" heels',
      'Oona,Burr,o@old.example,"01632 960131,never closed',
      'Petra "Pet" Cole,Cole,p@old.example,,',
      'Sam,Falk,s@old.example,,"over',
      'two lines"',
      'Quin,"Dell"x,q@old.example,,',
      'Rita,Eave,r@old.example,,',
    ].join('\n')
    const { rows } = readFile(csv)
    expect(rows.map(({ line, cells, guessed, wrong }) => [line, cells.firstName, guessed, Boolean(wrong)])).toEqual([
      [2, 'Nell', [], false],
      [3, 'Oona', ['phone'], false],
      [4, 'Petra "Pet" Cole', [], false],
      [5, 'Sam', [], false],
      [7, 'Quin', ['lastName'], true],
      [8, 'Rita', [], false],
    ])
  })
})

describe('the headings', () => {
  test('are searched for below titles, which are named', () => {
    const csv =
      'Class Pass Balances\nGenerated 28/11/2026,,\n\nClient,Email,Visits Remaining\n"Ashby, Nell",n@old.example,5'
    const { notes } = readFile(csv)
    expect(cellsOf(csv, 'name', 'credits')).toEqual([[5, 'Ashby, Nell', '5']])
    expect(notes).toEqual(['Above the headings, “Class Pass Balances”, “Generated 28/11/2026” is left out.'])
  })

  test('may be missing, and may be repeated', () => {
    expect(readFile('Nell,Ashby,n@old.example\nOona,Burr,o@old.example').columns).toMatchObject([
      { heading: 'Column 1', samples: ['Nell', 'Oona'], takenFor: null },
      { heading: 'Column 2' },
      { heading: 'Column 3', takenFor: 'email' },
    ])
    const twice = 'Name,Email\nNell Ashby,n@old.example\nName,Email\nOona Burr,o@old.example'
    expect(readFile(twice)).toMatchObject({
      rows: [{ line: 2 }, { line: 4 }],
      notes: [expect.stringMatching(/^Line 3/)],
    })
  })

  test('get a name of their own if they are empty or the same', () => {
    const csv = 'Name,Email,Phone,Phone,\nNell Ashby,n@old.example,,01632 960130,x'
    expect(readFile(csv).columns.map(({ heading }) => heading)).toEqual([
      'Name',
      'Email',
      'Phone',
      'Phone (2)',
      'Column 5',
    ])
    expect(cellsOf(csv, 'phone')).toEqual([[2, '01632 960130']])
  })

  test.each<[string, Partial<Record<Field, string>>]>([
    [
      'first_name,LAST-NAME,EMAIL ADDRESS,Balance',
      { firstName: 'first_name', lastName: 'LAST-NAME', email: 'EMAIL ADDRESS' },
    ],
    [
      'Client First Name,Client Surname,Customer E-mail (required)',
      { firstName: 'Client First Name', lastName: 'Client Surname', email: 'Customer E-mail (required)' },
    ],
    [
      'Name,Surname,Email,Username,Emergency contact name,Emergency phone',
      { firstName: 'Name', lastName: 'Surname', email: 'Email' },
    ],
    ['Member,Email,Company name,Card expiry,Last visit,Days remaining', { name: 'Member', email: 'Email' }],
    [
      'Name,Email,Sessions left,Valid until,Membership type',
      { name: 'Name', email: 'Email', credits: 'Sessions left', expiry: 'Valid until', package: 'Membership type' },
    ],
  ])('%s are recognised', (headings, fields) => {
    expect(
      fieldsOf(
        `${headings}\n${headings
          .split(',')
          .map(() => '')
          .join(',')},`,
      ),
    ).toEqual(fields)
  })
})

describe('a column is taken for what its cells are', () => {
  test('an address without a known heading', () => {
    expect(fieldsOf('Wer;Kontakt\nNell Ashby;n@old.example\nOona Burr;')).toEqual({ email: 'Kontakt' })
  })

  test('a flag under the heading of an address is none', () => {
    expect(fieldsOf('Name,Email,Email 2\nNell Ashby,yes,n@old.example')).toMatchObject({ email: 'Email 2' })
  })

  test('money is not credits', () => {
    for (const cell of ['£5', '5.00']) {
      expect(fieldsOf(`Name,Email,Credit balance\nNell Ashby,n@old.example,${cell}`)).not.toHaveProperty('credits')
    }
  })

  test('a start has a date and a time, in one column or two', () => {
    const row = 'Nell Ashby,n@old.example'
    expect(fieldsOf(`Name,Email,Start Time\n${row},2027-01-11 09:30`)).toMatchObject({ bookingStart: 'Start Time' })
    expect(fieldsOf(`Name,Email,Class Date,Start Time\n${row},11/01/2027,0930`)).toMatchObject({
      bookingDate: 'Class Date',
      bookingTime: 'Start Time',
    })
    const passes = fieldsOf(`Name,Email,Pass,Starts,Ends on\n${row},8 Class Pass,01/11/2026,31/01/2027`)
    expect(passes).toEqual({ name: 'Name', email: 'Email', package: 'Pass', expiry: 'Ends on' })
    expect(fieldsOf(`Name,Email,Start Time\n${row},09:30`)).not.toHaveProperty('bookingTime')
  })

  test('of several numbers a row has the mobile one, otherwise the first', () => {
    const csv = [
      'Name,Email,Phone,Mobile Phone',
      'Nell Ashby,n@old.example,,07700 900100',
      'Oona Burr,o@old.example,01632 960131,07700 900101',
      'Petra Cole,p@old.example,01632 960132,n/a',
    ].join('\n')
    expect(cellsOf(csv, 'phone')).toEqual([
      [2, '07700 900100'],
      [3, '07700 900101'],
      [4, '01632 960132'],
    ])
    expect(readFile(csv).notes).toEqual([expect.stringContaining('Phone, Mobile Phone')])
  })

  test('dates are American if a cell proves it, also that of another column', () => {
    const csv = 'Name,Email,Credits,Expiry,Date of birth\nNell Ashby,n@old.example,5,03/04/2027,12/31/1980'
    expect(readFile(csv)).toMatchObject({ dateOrder: 'month_first', rows: [{ orders: { expiry: 'month_first' } }] })
    expect(readFile(csv).notes).toEqual([
      '“Expiry”: the dates are American, with the month first, as 12/31/1980 shows.',
    ])
    expect(readFile(csv, { dateOrder: 'day_first' })).toMatchObject({
      dateOrder: 'day_first',
      notes: [],
      rows: [{ orders: { expiry: 'day_first' } }],
    })
    // One odd cell among British ones.
    const british =
      'Name,Email,Credits,Expiry\nA B,a@old.example,1,31/12/2026\nC D,c@old.example,1,30/12/2026\nE F,e@old.example,1,12/30/2026'
    expect(readFile(british)).toMatchObject({ dateOrder: 'day_first', notes: [] })
  })
})

test('takes columns for what the admin has chosen', () => {
  const csv = 'Wer;Kontakt;Rest;Handy\nNell Ashby;n@old.example;5;01632 960130'
  const columns = { Wer: 'name', Rest: 'credits', Kontakt: null, Handy: 'phone' } as const
  expect(readFile(csv, { columns }).columns.map(({ takenFor }) => takenFor)).toEqual(['name', null, 'credits', 'phone'])
  expect(readFile(csv, { columns }).rows).toMatchObject([{ cells: { name: 'Nell Ashby', email: '', credits: '5' } }])
})

describe('a row with more cells than headings', () => {
  const HEAD = 'Email,First name,Last name,Credits,Notes'

  test('is joined where it then fits its columns, preferably where nobody looks', () => {
    expect(readFile(`${HEAD}\nn@old.example,Nell,Ashby,5,likes tea, not coffee`).rows).toMatchObject([
      { cells: { firstName: 'Nell', lastName: 'Ashby', credits: '5' }, notes: [expect.stringMatching(/more cells/)] },
    ])
    expect(cellsOf('Name,Email\nAshby, Nell,n@old.example', 'name', 'email')).toEqual([
      [2, 'Ashby, Nell', 'n@old.example'],
    ])
  })

  test('is wrong if a name or an address may have moved', () => {
    const { rows } = readFile('First name,Last name,Email\nNell,Mary,Ashby,n@old.example\nNell,Ashby,n,m')
    expect(rows.map(({ wrong }) => wrong)).toEqual([
      expect.stringMatching(/more cells/),
      expect.stringMatching(/more cells/),
    ])
  })
})
