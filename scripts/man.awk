# man.awk - a page of docs/ as a manual page
#
#   awk -v name=xray-machine -v section=5 -v version=0.1.0 -f scripts/man.awk docs/machine-file.md
#
# Takes what our pages use: headings, paragraphs, indented code, tables, `code`, **strong**, *stress*, links. Of a row in
# a table the first cell is the term; the others are said with their headings, but for a last one called "meaning".

function roff(text,    out, open)
{
	gsub(/\\\|/, "|", text)
	gsub(/\\/, "\\e", text)
	while (match(text, /\[[^]]*\]\([^)]*\)/)) {
		link = substr(text, RSTART, RLENGTH)
		sub(/^\[/, "", link)
		sub(/\]\(.*/, "", link)
		text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
	}
	gsub(/\*\*/, "`", text)
	out = ""
	while (match(text, /`/)) {
		out = out substr(text, 1, RSTART - 1) (open ? "\\fR" : "\\fB")
		open = !open
		text = substr(text, RSTART + 1)
	}
	out = out text
	gsub(/-/, "\\-", out)
	sub(/^[.']/, "\\\\\\&&", out)
	return out
}
function end_paragraph()
{
	if (paragraph != "")
		print roff(paragraph)
	paragraph = ""
}
function end_code()
{
	if (code)
		print ".fi\n.RE\n.PP"
	code = 0
}
function cells(line, into,    n, i)
{
	gsub(/\\\|/, "\001", line)
	sub(/^\| */, "", line)
	sub(/ *\| *$/, "", line)
	n = split(line, into, / *\| */)
	for (i = 1; i <= n; i++)
		gsub(/\001/, "|", into[i])
	return n
}
function row(line,    n, i, said)
{
	n = cells(line, cell)
	print ".TP\n.B " roff(cell[1])
	said = ""
	for (i = 2; i <= n; i++) {
		if (cell[i] == "")
			continue
		said = said (said == "" ? "" : i == n && heading[i] == "meaning" ? ". " : "; ")
		said = said (heading[i] == "meaning" || heading[i] == "written" || heading[i] == "" ? "" : heading[i] ": ") cell[i]
	}
	print said == "" ? "\\&" : roff(said)
}

NR == 1 {
	what = $0
	sub(/^# */, "", what)
	printf ".TH %s %s \"\" \"xray %s\"\n.SH NAME\n%s \\- %s\n", toupper(name), section, version, name, tolower(what)
	print ".SH DESCRIPTION"
	next
}
/^\|[-| :]*\|$/ { next }
/^\|/ {
	end_paragraph()
	if (!table) {
		table = 1
		split("", heading)
		cells($0, heading)
	} else {
		row($0)
	}
	next
}
table {
	table = 0
	print ".PP"
}
/^    / {
	end_paragraph()
	if (!code) {
		print ".RS\n.nf"
		code = 1
	} else if (blank) {
		print ""
	}
	blank = 0
	line = substr($0, 5)
	gsub(/\\/, "\\e", line)
	gsub(/-/, "\\-", line)
	sub(/^[.']/, "\\\\\\&&", line)
	print line
	next
}
/^$/ {
	blank = 1
	if (!code) {
		if (paragraph != "") {
			end_paragraph()
			print ".PP"
		}
	}
	next
}
{
	end_code()
	blank = 0
}
/^### / {
	end_paragraph()
	print ".SS " roff(substr($0, 5))
	next
}
/^## / {
	end_paragraph()
	print ".SH " (/\[/ ? roff(substr($0, 4)) : toupper(roff(substr($0, 4))))
	next
}
/^- / {
	end_paragraph()
	print ".IP \\(bu 2"
	paragraph = substr($0, 3)
	next
}
{ paragraph = paragraph (paragraph == "" ? "" : " ") $0 }
END {
	end_paragraph()
	end_code()
}
