// Command kstatus says how generic tools read Kubernetes objects.
//
// It reads one JSON object a line from standard input and writes one line for each:
// {"status":"Current","message":"..."}.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "kstatus:", err)
		os.Exit(1)
	}
}

type answer struct {
	Status  status.Status `json:"status"`
	Message string        `json:"message"`
}

func run(in io.Reader, out io.Writer) error {
	objects := json.NewDecoder(bufio.NewReader(in))
	answers := json.NewEncoder(out)
	for number := 1; ; number++ {
		var object unstructured.Unstructured
		err := objects.Decode(&object)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("object %d: %w", number, err)
		}
		result, err := status.Compute(&object)
		if err != nil {
			return fmt.Errorf("object %d (%s %s): %w", number, object.GetKind(), object.GetName(), err)
		}
		if err := answers.Encode(answer{result.Status, result.Message}); err != nil {
			return err
		}
	}
}
