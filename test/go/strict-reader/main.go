// Command strict-reader reads executors as programs do that know less of their status than we write.
//
// It reads one JSON object a line from standard input and writes one line for each: what a reader of Ratify's status and
// a reader of the status of Ratify's pull request #2831 make of it. It fails where a type or a name is not theirs.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// ratifyStatus is the status as Ratify has it: three fields.
type ratifyStatus struct {
	Succeeded  bool   `json:"succeeded"`
	Error      string `json:"error,omitempty"`
	BriefError string `json:"briefError,omitempty"`
}

// listedStatus is the status as pull request #2831 has it: the three, and an entry for each pod.
type listedStatus struct {
	ratifyStatus
	ByPod []podEntry `json:"byPod,omitempty"`
}

type podEntry struct {
	ID                 string     `json:"id"`
	ObservedGeneration int64      `json:"observedGeneration,omitempty"`
	Succeeded          bool       `json:"succeeded"`
	Error              string     `json:"error,omitempty"`
	BriefError         string     `json:"briefError,omitempty"`
	LastTransitionTime *time.Time `json:"lastTransitionTime,omitempty"`
}

var (
	ratifyFields = []string{"succeeded", "error", "briefError"}
	listedFields = append(ratifyFields[:len(ratifyFields):len(ratifyFields)], "byPod")
	entryFields  = []string{"id", "observedGeneration", "succeeded", "error", "briefError", "lastTransitionTime"}
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "strict-reader:", err)
		os.Exit(1)
	}
}

type answer struct {
	Ratify ratifyStatus `json:"ratify"`
	Listed listedStatus `json:"listed"`
}

func run(in io.Reader, out io.Writer) error {
	objects := json.NewDecoder(bufio.NewReader(in))
	answers := json.NewEncoder(out)
	for number := 1; ; number++ {
		var object struct {
			Status json.RawMessage `json:"status"`
		}
		err := objects.Decode(&object)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("object %d: %w", number, err)
		}
		read, err := readStatus(object.Status)
		if err != nil {
			return fmt.Errorf("object %d: %w", number, err)
		}
		if err := answers.Encode(read); err != nil {
			return err
		}
	}
}

func readStatus(status json.RawMessage) (answer, error) {
	var read answer
	if err := decode(status, ratifyFields, &read.Ratify); err != nil {
		return read, fmt.Errorf("as Ratify reads it: %w", err)
	}
	var fields struct {
		ByPod []json.RawMessage `json:"byPod"`
	}
	if err := json.Unmarshal(status, &fields); err != nil {
		return read, err
	}
	// The entries one by one, since each has more fields than the reader knows.
	if err := decode(status, ratifyFields, &read.Listed.ratifyStatus); err != nil {
		return read, err
	}
	for at, raw := range fields.ByPod {
		var entry podEntry
		if err := decode(raw, entryFields, &entry); err != nil {
			return read, fmt.Errorf("byPod[%d]: %w", at, err)
		}
		read.Listed.ByPod = append(read.Listed.ByPod, entry)
	}
	return read, onlyTheirs(status, listedFields)
}

// decode reads the given fields of an object strictly, and leaves the others alone.
func decode(object json.RawMessage, names []string, into any) error {
	if err := onlyTheirs(object, names); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil {
		return err
	}
	theirs := make(map[string]json.RawMessage)
	for _, name := range names {
		if value, found := all[name]; found {
			theirs[name] = value
		}
	}
	narrowed, err := json.Marshal(theirs)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(narrowed))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// onlyTheirs refuses a name that differs from one of theirs in nothing but case: Go would read it all the same, others not.
func onlyTheirs(object json.RawMessage, names []string) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil {
		return err
	}
	for have := range all {
		for _, name := range names {
			if have != name && bytes.EqualFold([]byte(have), []byte(name)) {
				return fmt.Errorf("%s is written %s", name, have)
			}
		}
	}
	return nil
}
